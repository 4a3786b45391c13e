package io.headgate.fn.v1;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.BytesValue;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import io.headgate.fn.BundleDescriptor;
import io.headgate.fn.BundleDescriptor.Read;
import io.headgate.fn.PortId;
import io.headgate.fn.kit.Samples;
import io.headgate.graph.DescriptorFault;
import io.headgate.graph.Excess;
import io.headgate.graph.GraphLimits;
import java.util.List;
import java.util.stream.Stream;
import org.apache.beam.fn.v1.BeamFnApi.ApiServiceDescriptor;
import org.apache.beam.fn.v1.BeamFnApi.FunctionSpec;
import org.apache.beam.fn.v1.BeamFnApi.PrimitiveTransform;
import org.apache.beam.fn.v1.BeamFnApi.ProcessBundleDescriptor;
import org.apache.beam.fn.v1.BeamFnApi.RemoteGrpcPort;
import org.apache.beam.fn.v1.BeamFnApi.SideInput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which descriptors are accepted, and what becomes of one that is. */
class DescriptorCheckTest {
  private static final String OURS = "127.0.0.1:8078";
  private static final GraphLimits SMALL = new GraphLimits(3, 3, 8, 40, 1 << 20);

  private static Read read(ProcessBundleDescriptor descriptor, GraphLimits limits) {
    return reader(limits, null).read(descriptor.toByteArray());
  }

  private static DescriptorReader reader(GraphLimits limits, String tokenUrl) {
    return new DescriptorReader(
        new DescriptorReader.Ports(
            List.of(Samples.INPUT_URN), List.of(Samples.OUTPUT_URN), OURS, tokenUrl),
        limits,
        1 << 20);
  }

  private static BundleDescriptor accepted(ProcessBundleDescriptor descriptor) {
    Read read = read(descriptor, GraphLimits.DEFAULT);
    assertThat(read).isInstanceOf(Read.Accepted.class);
    return ((Read.Accepted) read).descriptor();
  }

  static Stream<Arguments> faulty() {
    ProcessBundleDescriptor good = Samples.descriptor("d1");
    return Stream.of(
        Arguments.of("no id", good.toBuilder().setId(""), DescriptorFault.MISSING_ID),
        Arguments.of(
            "a transform without id",
            good.toBuilder().addPrimitiveTransform(Samples.transform("", "urn:x")),
            DescriptorFault.MISSING_ID),
        Arguments.of(
            "one id twice",
            good.toBuilder().addPrimitiveTransform(Samples.transform("work", "urn:x")),
            DescriptorFault.DUPLICATE_TRANSFORM),
        Arguments.of(
            "fed by a transform that isn't there",
            good.toBuilder()
                .addPrimitiveTransform(
                    Samples.transform("t", "urn:x")
                        .putInputs("i", Samples.targets(Samples.target("nobody", "out")))),
            DescriptorFault.UNKNOWN_TRANSFORM),
        Arguments.of(
            "fed by an output that isn't there",
            good.toBuilder()
                .addPrimitiveTransform(
                    Samples.transform("t", "urn:x")
                        .putInputs("i", Samples.targets(Samples.target("read", "nothing")))),
            DescriptorFault.UNKNOWN_OUTPUT),
        Arguments.of(
            "a coder that isn't there",
            good.toBuilder()
                .addPrimitiveTransform(
                    Samples.transform("t", "urn:x").putOutputs("o", Samples.collection("kv"))),
            DescriptorFault.UNKNOWN_CODER),
        Arguments.of(
            "a component that isn't there",
            good.toBuilder().addCoders(Samples.coder("kv", "bytes", "varint")),
            DescriptorFault.UNKNOWN_COMPONENT),
        Arguments.of(
            "fed by itself",
            good.toBuilder()
                .addPrimitiveTransform(
                    Samples.transform("t", "urn:x")
                        .putInputs("i", Samples.targets(Samples.target("t", "o")))
                        .putOutputs("o", Samples.collection("bytes"))),
            DescriptorFault.CYCLE),
        Arguments.of(
            "fed in a circle",
            good.toBuilder()
                .addPrimitiveTransform(
                    Samples.transform("a", "urn:x")
                        .putInputs(
                            "i",
                            Samples.targets(
                                Samples.target("read", "out"), Samples.target("b", "o")))
                        .putOutputs("o", Samples.collection("bytes")))
                .addPrimitiveTransform(
                    Samples.transform("b", "urn:x")
                        .putInputs("i", Samples.targets(Samples.target("a", "o")))
                        .putOutputs("o", Samples.collection("bytes"))),
            DescriptorFault.CYCLE),
        Arguments.of(
            "a port with another endpoint",
            withEndpoint(good, Any.pack(port("evil.example:1"))),
            DescriptorFault.FOREIGN_ENDPOINT),
        Arguments.of(
            "a port with other parameters",
            withEndpoint(good, Any.pack(BytesValue.getDefaultInstance())),
            DescriptorFault.FOREIGN_ENDPOINT));
  }

  private static RemoteGrpcPort port(String url) {
    return RemoteGrpcPort.newBuilder()
        .setApiServiceDescriptor(ApiServiceDescriptor.newBuilder().setId("x").setUrl(url))
        .build();
  }

  private static ProcessBundleDescriptor.Builder withEndpoint(
      ProcessBundleDescriptor descriptor, Any parameters) {
    ProcessBundleDescriptor.Builder changed = descriptor.toBuilder();
    changed.getPrimitiveTransformBuilder(0).getFunctionSpecBuilder().setData(parameters);
    return changed;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("faulty")
  void F3_a_faulty_descriptor_is_refused(
      String name, ProcessBundleDescriptor.Builder descriptor, DescriptorFault reason) {
    assertThat(read(descriptor.build(), GraphLimits.DEFAULT)).isEqualTo(new Read.Refused(reason));
  }

  @Test
  void F3_bytes_that_are_no_descriptor_are_refused() {
    DescriptorReader reader = reader(GraphLimits.DEFAULT, null);
    assertThat(reader.read(new byte[] {10, 100, 1}))
        .isEqualTo(new Read.Refused(DescriptorFault.UNREADABLE));
    assertThat(reader.read(new byte[] {10, 2, (byte) 0xC3, 0x28}))
        .as("an id that is no UTF-8")
        .isEqualTo(new Read.Refused(DescriptorFault.UNREADABLE));
    assertThat(reader.read(new byte[(1 << 20) + 1]))
        .isEqualTo(new Read.TooLarge(Excess.DESCRIPTOR_BYTES));
  }

  @Test
  void F10_a_descriptor_of_many_empty_parts_is_refused_before_they_are_made() {
    byte[] bytes = new byte[2 * 200_001];
    for (int i = 0; i < bytes.length; i += 2) {
      bytes[i] = 0x12; // a transform, with nothing in it
    }
    assertThat(reader(GraphLimits.DEFAULT, null).read(bytes))
        .isEqualTo(new Read.TooLarge(Excess.DESCRIPTOR_PARTS));
  }

  @Test
  void F10_a_descriptor_has_at_most_a_thousand_ports() {
    PrimitiveTransform.Builder read = Samples.transform("read", Samples.INPUT_URN);
    for (int i = 0; i < 1_000; i++) {
      read.putOutputs("o" + i, Samples.collection("bytes"));
    }
    ProcessBundleDescriptor.Builder wide =
        ProcessBundleDescriptor.newBuilder().setId("d").addCoders(Samples.coder("bytes"));
    accepted(wide.addPrimitiveTransform(read).build());
    wide.setPrimitiveTransform(0, read.putOutputs("more", Samples.collection("bytes")));
    assertThat(read(wide.build(), GraphLimits.DEFAULT)).isEqualTo(new Read.TooLarge(Excess.PORTS));
  }

  @Test
  void F3_an_id_alone_and_side_inputs_from_elsewhere_are_fine() {
    accepted(ProcessBundleDescriptor.newBuilder().setId("d").build());
    ProcessBundleDescriptor.Builder side = Samples.descriptor("d").toBuilder();
    side.getPrimitiveTransformBuilder(1)
        .putSideInputs(
            "side", SideInput.newBuilder().setInput(Samples.target("elsewhere", "x")).build())
        .putSideInputs("view", SideInput.getDefaultInstance());
    accepted(side.build());
  }

  @Test
  void F3_limits_hold_to_the_one() {
    ProcessBundleDescriptor.Builder three =
        ProcessBundleDescriptor.newBuilder().setId("d").addCoders(Samples.coder("c"));
    for (String id : List.of("a", "b", "c")) {
      three.addPrimitiveTransform(
          Samples.transform(id, "u").setStepName("s").putOutputs("o", Samples.collection("c")));
    }
    assertThat(read(three.build(), SMALL)).isInstanceOf(Read.Accepted.class);
    assertThat(
            read(three.clone().addPrimitiveTransform(Samples.transform("x", "u")).build(), SMALL))
        .isEqualTo(new Read.TooLarge(Excess.NODES));
    var fed = three.clone();
    fed.getPrimitiveTransformBuilder(2)
        .putInputs(
            "i",
            Samples.targets(
                Samples.target("a", "o"), Samples.target("a", "o"), Samples.target("b", "o")));
    assertThat(read(fed.build(), SMALL)).isInstanceOf(Read.Accepted.class);
    fed.getPrimitiveTransformBuilder(1).putInputs("i", Samples.targets(Samples.target("a", "o")));
    assertThat(read(fed.build(), SMALL)).isEqualTo(new Read.TooLarge(Excess.EDGES));
    var named = three.clone();
    named.getPrimitiveTransformBuilder(0).setStepName("ä".repeat(20));
    assertThat(read(named.build(), SMALL)).isInstanceOf(Read.Accepted.class);
    named.getPrimitiveTransformBuilder(0).setStepName("ä".repeat(20) + "x");
    assertThat(read(named.build(), SMALL)).isEqualTo(new Read.TooLarge(Excess.STRING_BYTES));
  }

  @Test
  void F3_every_port_gets_this_gateways_endpoint_and_none_is_stored()
      throws InvalidProtocolBufferException {
    for (ProcessBundleDescriptor given :
        List.of(
            Samples.descriptor("d1"),
            withEndpoint(Samples.descriptor("d1"), Any.pack(port(""))).build(),
            withEndpoint(Samples.descriptor("d1"), Any.pack(port(OURS))).build())) {
      BundleDescriptor descriptor = accepted(given);
      assertThat(descriptor.inputs()).containsExactly(new PortId("read", "out"));
      assertThat(descriptor.outputs()).containsExactly(new PortId("write", "in"));
      assertThat(ProcessBundleDescriptor.parseFrom(descriptor.stored()))
          .isEqualTo(Samples.descriptor("d1"));
      ProcessBundleDescriptor sent =
          ProcessBundleDescriptor.parseFrom(descriptor.wire().getBytes());
      for (int port : new int[] {0, 2}) {
        FunctionSpec function = sent.getPrimitiveTransform(port).getFunctionSpec();
        assertThat(function.getData().getTypeUrl())
            .isEqualTo("type.googleapis.com/org.apache.beam.fn.v1.RemoteGrpcPort");
        assertThat(function.getData().unpack(RemoteGrpcPort.class).getApiServiceDescriptor())
            .isEqualTo(ApiServiceDescriptor.newBuilder().setId("headgate").setUrl(OURS).build());
      }
      assertThat(sent.getPrimitiveTransform(1)).isEqualTo(given.getPrimitiveTransform(1));
    }
  }

  @Test
  void F9_where_tokens_are_asked_for_ports_say_where_to_get_them()
      throws InvalidProtocolBufferException {
    Read read =
        reader(GraphLimits.DEFAULT, "https://tokens.example/")
            .read(Samples.descriptor("d1").toByteArray());
    ProcessBundleDescriptor sent =
        ProcessBundleDescriptor.parseFrom(((Read.Accepted) read).descriptor().wire().getBytes());
    assertThat(
            sent.getPrimitiveTransform(0)
                .getFunctionSpec()
                .getData()
                .unpack(RemoteGrpcPort.class)
                .getApiServiceDescriptor()
                .getOauth2ClientCredentialsGrant()
                .getUrl())
        .isEqualTo("https://tokens.example/");
  }

  @Test
  void F3_equal_messages_have_one_stored_form_and_unequal_ones_another()
      throws InvalidProtocolBufferException {
    ProcessBundleDescriptor.Builder one = Samples.descriptor("d1").toBuilder();
    ProcessBundleDescriptor.Builder two = Samples.descriptor("d1").toBuilder();
    for (int i = 0; i < 50; i++) {
      one.getPrimitiveTransformBuilder(1).putOutputs("o" + i, Samples.collection("bytes"));
      two.getPrimitiveTransformBuilder(1).putOutputs("o" + (49 - i), Samples.collection("bytes"));
    }
    assertThat(one.build()).isEqualTo(two.build());
    assertThat(accepted(one.build()).stored()).isEqualTo(accepted(two.build()).stored());
    UnknownFieldSet later =
        UnknownFieldSet.newBuilder()
            .addField(77, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
            .build();
    two.setUnknownFields(later);
    assertThat(accepted(two.build()).stored()).isNotEqualTo(accepted(one.build()).stored());
    assertThat(
            ProcessBundleDescriptor.parseFrom(accepted(two.build()).wire().getBytes())
                .getUnknownFields())
        .as("what is not known is passed on")
        .isEqualTo(later);
  }
}
