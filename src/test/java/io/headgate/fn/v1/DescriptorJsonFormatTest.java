package io.headgate.fn.v1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.protobuf.InvalidProtocolBufferException;
import io.headgate.fn.kit.Samples;
import io.headgate.wire.CapExceededException;
import io.headgate.wire.CappedBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.beam.fn.v1.BeamFnApi.ProcessBundleDescriptor;
import org.apache.beam.fn.v1.BeamFnApi.SideInput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What JSON is a descriptor, and what descriptor has JSON. */
class DescriptorJsonFormatTest {
  private static final int CAP = 1 << 20;

  private final DescriptorJsonFormat format = new DescriptorJsonFormat();

  private byte[] read(String json) {
    return format.read(json.getBytes(StandardCharsets.UTF_8));
  }

  private ProcessBundleDescriptor descriptor(String json) throws InvalidProtocolBufferException {
    return ProcessBundleDescriptor.parseFrom(read(json));
  }

  private String written(ProcessBundleDescriptor descriptor) {
    CappedBuffer out = format.write(descriptor.toByteArray(), CAP);
    return new String(out.array(), 0, out.length(), StandardCharsets.UTF_8);
  }

  @Test
  void F3_what_is_written_is_read_as_the_same() throws Exception {
    ProcessBundleDescriptor descriptor =
        Samples.descriptor("d ö 😀 \"<\n").toBuilder()
            .addPrimitiveTransform(
                Samples.transform("more", "urn:x")
                    .putInputs("main", Samples.targets(Samples.target("read", "out")))
                    .putSideInputs(
                        "side",
                        SideInput.newBuilder().setInput(Samples.target("read", "out")).build()))
            .build();
    assertThat(descriptor(written(descriptor))).isEqualTo(descriptor);
    assertThat(written(descriptor))
        .contains("\"@type\":\"type.googleapis.com/google.protobuf.BytesValue\",\"value\":\"");
  }

  @Test
  void F3_both_spellings_of_a_field_and_escapes_are_read() throws Exception {
    assertThat(descriptor(" {\"id\":\"\\ud83d\\ude00\",\"primitive_transform\":[{\"id\":\"a\"}]} "))
        .isEqualTo(
            ProcessBundleDescriptor.newBuilder()
                .setId("😀")
                .addPrimitiveTransform(
                    Samples.transform("a", "").clearStepName().clearFunctionSpec())
                .build());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "3",
        "{'id':'a'}",
        "{id:\"a\"}",
        "{\"id\":\"a\"}x",
        "{\"id\":\"a\",}",
        "{\"id\":\"a\"} // comment",
        "{\"id\":{}}",
        "{\"id\":\"\\ud800\"}",
        "{\"id\":\"\\udc00\\ud800\"}",
        "{\"id\":\"a\",\"unknown\":1}",
        "{\"coders\":[{\"functionSpec\":{\"data\":{\"@type\":\"type.googleapis.com/x.Y\"}}}]}",
        "{\"coders\":[{\"functionSpec\":{\"data\":{\"@type\":"
            + "\"type.googleapis.com/google.protobuf.BytesValue\",\"value\":\"*\"}}}]}"
      })
  void F3_what_is_no_descriptor_is_not_read(String json) {
    assertThat(read(json)).isNull();
  }

  @Test
  void F3_bytes_that_are_no_utf_8_are_not_read() {
    assertThat(format.read(new byte[] {'{', '"', 'i', 'd', '"', ':', '"', -1, '"', '}'})).isNull();
  }

  @Test
  void F3_depth_and_parts_are_bounded() {
    int levels = 100_000;
    assertThat(read("[".repeat(levels) + "]".repeat(levels))).isNull();
    // One object in an array in an object, and a comma but once with each coder.
    int most = DescriptorJsonFormat.MOST_PARTS / 2;
    String coders = "{\"coders\":[" + "{},".repeat(most - 2) + "{}]}";
    assertThat(read(coders)).isNotNull();
    assertThat(read(coders.replace("[{}", "[{},{}"))).isNull();
  }

  @Test
  void F3_parameters_of_another_type_have_no_json() {
    ProcessBundleDescriptor.Builder descriptor = Samples.descriptor("d1").toBuilder();
    descriptor
        .getPrimitiveTransformBuilder(1)
        .getFunctionSpecBuilder()
        .setData(Any.pack(Duration.getDefaultInstance()));
    assertThat(format.write(descriptor.build().toByteArray(), CAP)).isNull();
  }

  @Test
  void L13_what_is_written_has_a_cap() {
    ProcessBundleDescriptor descriptor = Samples.descriptor("d1");
    byte[] bytes = descriptor.toByteArray();
    int length = written(descriptor).length();
    assertThat(format.write(bytes, length)).isNotNull();
    assertThatThrownBy(() -> format.write(bytes, length - 1))
        .isInstanceOf(CapExceededException.class);
  }
}
