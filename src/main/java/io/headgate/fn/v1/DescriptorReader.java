package io.headgate.fn.v1;

import com.google.protobuf.Any;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.headgate.fn.BundleDescriptor;
import io.headgate.fn.BundleDescriptor.Read;
import io.headgate.fn.PortId;
import io.headgate.graph.DescriptorFault;
import io.headgate.graph.DescriptorGraphBuilder;
import io.headgate.graph.DescriptorGraphBuilder.Built;
import io.headgate.graph.Excess;
import io.headgate.graph.GraphLimits;
import io.headgate.wire.Digests;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.fn.v1.BeamFnApi.ApiServiceDescriptor;
import org.apache.beam.fn.v1.BeamFnApi.Coder;
import org.apache.beam.fn.v1.BeamFnApi.FunctionSpec;
import org.apache.beam.fn.v1.BeamFnApi.OAuth2ClientCredentialsGrant;
import org.apache.beam.fn.v1.BeamFnApi.PrimitiveTransform;
import org.apache.beam.fn.v1.BeamFnApi.ProcessBundleDescriptor;
import org.apache.beam.fn.v1.BeamFnApi.RemoteGrpcPort;
import org.jspecify.annotations.Nullable;

/**
 * Reads and checks descriptors (F3), finds their data ports, and gives these the gateway's own
 * endpoint. Safe on any thread.
 */
public final class DescriptorReader implements BundleDescriptor.Reader {
  /** The id of the endpoint that harnesses are given; one for all, so they open one stream. */
  private static final String ENDPOINT_ID = "headgate";

  /** Each is looked at whenever something happens to its bundle. */
  private static final int MOST_PORTS = 1_000;

  private static final KnownFields<RemoteGrpcPort> PORTS =
      new KnownFields<>(RemoteGrpcPort.parser());

  private final Ports ports;
  private final GraphLimits limits;
  private final int mostBytes;
  private final Any endpoint;

  /**
   * Which transforms are data ports, and where their harness finds the data plane.
   *
   * @param inputUrns URNs of transforms through which a bundle's inputs come
   * @param outputUrns URNs of transforms through which its outputs go
   * @param advertisedUrl where harnesses reach this gateway
   * @param tokenUrl where harnesses get bearer tokens, or null if none are asked for
   */
  public record Ports(
      List<String> inputUrns,
      List<String> outputUrns,
      String advertisedUrl,
      @Nullable String tokenUrl) {}

  /**
   * @param mostBytes how long a descriptor may be
   */
  public DescriptorReader(Ports ports, GraphLimits limits, int mostBytes) {
    this.ports = ports;
    this.limits = limits;
    this.mostBytes = mostBytes;
    ApiServiceDescriptor.Builder service =
        ApiServiceDescriptor.newBuilder().setId(ENDPOINT_ID).setUrl(ports.advertisedUrl());
    String tokenUrl = ports.tokenUrl();
    if (tokenUrl != null) {
      service.setOauth2ClientCredentialsGrant(
          OAuth2ClientCredentialsGrant.newBuilder().setUrl(tokenUrl));
    }
    endpoint = Any.pack(RemoteGrpcPort.newBuilder().setApiServiceDescriptor(service).build());
  }

  @Override
  public Read read(byte[] bytes) {
    if (bytes.length > mostBytes) {
      return new Read.TooLarge(Excess.DESCRIPTOR_BYTES);
    }
    ProcessBundleDescriptor descriptor;
    try {
      if (DescriptorParts.count(bytes) > DescriptorParts.MOST) {
        return new Read.TooLarge(Excess.DESCRIPTOR_PARTS);
      }
      descriptor = ProcessBundleDescriptor.parseFrom(bytes);
    } catch (MalformedMessageException | InvalidProtocolBufferException e) {
      return new Read.Refused(DescriptorFault.UNREADABLE);
    }
    Built built = check(descriptor);
    if (built instanceof Built.TooLarge large) {
      return new Read.TooLarge(large.reason());
    }
    if (built instanceof Built.Refused refused) {
      return new Read.Refused(refused.reason());
    }
    BundleDescriptor accepted = accepted(descriptor, (Built.Checked) built);
    if (accepted.inputs().size() + accepted.outputs().size() > MOST_PORTS) {
      return new Read.TooLarge(Excess.PORTS);
    }
    return new Read.Accepted(accepted);
  }

  private Built check(ProcessBundleDescriptor descriptor) {
    DescriptorGraphBuilder builder = new DescriptorGraphBuilder(descriptor.getId(), limits);
    for (Coder coder : descriptor.getCodersList()) {
      builder.coder(coder.getFunctionSpec().getId(), coder.getComponentCoderReferenceList());
    }
    for (PrimitiveTransform transform : descriptor.getPrimitiveTransformList()) {
      FunctionSpec function = transform.getFunctionSpec();
      if (isPort(function) && !namesNoOther(function.getData())) {
        builder.fault(DescriptorFault.FOREIGN_ENDPOINT);
      }
      DescriptorGraphBuilder.Stage stage =
          builder.transform(transform.getId(), function.getUrn(), transform.getStepName());
      transform
          .getOutputsMap()
          .forEach((name, collection) -> stage.output(name, collection.getCoderReference()));
      transform
          .getInputsMap()
          .forEach(
              (name, sources) -> {
                stage.input(name);
                sources
                    .getTargetList()
                    .forEach(
                        source ->
                            stage.feed(
                                name, source.getPrimitiveTransformReference(), source.getName()));
              });
      transform
          .getSideInputsMap()
          .forEach(
              (name, side) -> {
                if (side.hasInput()) {
                  stage.sideInput(
                      name,
                      side.getInput().getPrimitiveTransformReference(),
                      side.getInput().getName());
                }
              });
    }
    return builder.build();
  }

  private boolean isPort(FunctionSpec function) {
    return ports.inputUrns().contains(function.getUrn())
        || ports.outputUrns().contains(function.getUrn());
  }

  /** Whether a data port's parameters are none, or an endpoint without a URL, or with our own. */
  private boolean namesNoOther(Any parameters) {
    if (parameters.equals(Any.getDefaultInstance())) {
      return true;
    }
    if (!parameters.is(RemoteGrpcPort.class)) {
      return false;
    }
    try {
      Buffer value = Buffer.buffer(parameters.getValue().toByteArray());
      String url = PORTS.read(value).getApiServiceDescriptor().getUrl();
      return url.isEmpty() || url.equals(ports.advertisedUrl());
    } catch (MalformedMessageException e) {
      return false;
    }
  }

  private BundleDescriptor accepted(ProcessBundleDescriptor descriptor, Built.Checked built) {
    List<PortId> inputs = new ArrayList<>();
    List<PortId> outputs = new ArrayList<>();
    ProcessBundleDescriptor.Builder stored = descriptor.toBuilder();
    ProcessBundleDescriptor.Builder wire = descriptor.toBuilder();
    for (int i = 0; i < descriptor.getPrimitiveTransformCount(); i++) {
      PrimitiveTransform transform = descriptor.getPrimitiveTransform(i);
      String urn = transform.getFunctionSpec().getUrn();
      if (ports.inputUrns().contains(urn)) {
        transform
            .getOutputsMap()
            .keySet()
            .forEach(name -> inputs.add(new PortId(transform.getId(), name)));
      }
      if (ports.outputUrns().contains(urn)) {
        transform
            .getInputsMap()
            .keySet()
            .forEach(name -> outputs.add(new PortId(transform.getId(), name)));
      }
      if (isPort(transform.getFunctionSpec())) {
        stored.getPrimitiveTransformBuilder(i).getFunctionSpecBuilder().clearData();
        wire.getPrimitiveTransformBuilder(i).getFunctionSpecBuilder().setData(endpoint);
      }
    }
    byte[] kept = inOneForm(stored.build());
    return new BundleDescriptor(
        descriptor.getId(),
        kept,
        Digests.etag(kept, kept.length),
        Buffer.buffer(inOneForm(wire.build())),
        List.copyOf(inputs),
        List.copyOf(outputs),
        built.graph());
  }

  /** Bytes that are the same for equal messages: maps come in the order of their keys. */
  private static byte[] inOneForm(Message message) {
    byte[] bytes = new byte[message.getSerializedSize()];
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    out.useDeterministicSerialization();
    try {
      message.writeTo(out);
    } catch (IOException e) {
      throw new IllegalStateException("an array has no such faults", e);
    }
    out.checkNoSpaceLeft();
    return bytes;
  }
}
