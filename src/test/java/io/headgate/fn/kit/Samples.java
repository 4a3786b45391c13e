package io.headgate.fn.kit;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.BytesValue;
import io.headgate.fn.PortId;
import org.apache.beam.fn.v1.BeamFnApi.Coder;
import org.apache.beam.fn.v1.BeamFnApi.FunctionSpec;
import org.apache.beam.fn.v1.BeamFnApi.PCollection;
import org.apache.beam.fn.v1.BeamFnApi.PrimitiveTransform;
import org.apache.beam.fn.v1.BeamFnApi.ProcessBundleDescriptor;
import org.apache.beam.fn.v1.BeamFnApi.StateKey;
import org.apache.beam.fn.v1.BeamFnApi.Target;

/** Descriptors for tests: one input, a function, one output. */
public final class Samples {
  public static final String INPUT_URN = "urn:org.apache.beam:source:runner:0.1";
  public static final String OUTPUT_URN = "urn:org.apache.beam:sink:runner:0.1";

  /** The ports of {@link #descriptor}. */
  public static final PortId IN = new PortId("read", "out");

  public static final PortId OUT = new PortId("write", "in");
  public static final Target INPUT = target(IN.transform(), IN.name());
  public static final Target OUTPUT = target(OUT.transform(), OUT.name());

  private Samples() {}

  public static Target target(String transform, String name) {
    return Target.newBuilder().setPrimitiveTransformReference(transform).setName(name).build();
  }

  /** read → work → write, with one coder. */
  public static ProcessBundleDescriptor descriptor(String id) {
    return ProcessBundleDescriptor.newBuilder()
        .setId(id)
        .addCoders(coder("bytes"))
        .addPrimitiveTransform(transform("read", INPUT_URN).putOutputs("out", collection("bytes")))
        .addPrimitiveTransform(
            transform("work", "urn:example:work:1")
                .putInputs("main", targets(target("read", "out")))
                .putOutputs("result", collection("bytes")))
        .addPrimitiveTransform(
            transform("write", OUTPUT_URN).putInputs("in", targets(target("work", "result"))))
        .build();
  }

  /** A function with a payload that must never be shown. */
  public static PrimitiveTransform.Builder transform(String id, String urn) {
    FunctionSpec.Builder function = FunctionSpec.newBuilder().setId("fn-" + id).setUrn(urn);
    if (!urn.equals(INPUT_URN) && !urn.equals(OUTPUT_URN)) {
      function.setData(Any.pack(BytesValue.of(ByteString.copyFromUtf8("s3cr3t-payload"))));
    }
    return PrimitiveTransform.newBuilder()
        .setId(id)
        .setStepName("Step " + id)
        .setFunctionSpec(function);
  }

  public static Coder.Builder coder(String id, String... components) {
    return Coder.newBuilder()
        .setFunctionSpec(FunctionSpec.newBuilder().setId(id).setUrn("urn:beam:coder:bytes:0.1"))
        .addAllComponentCoderReference(java.util.List.of(components));
  }

  public static PCollection collection(String coder) {
    return PCollection.newBuilder().setCoderReference(coder).build();
  }

  public static Target.List targets(Target... targets) {
    return Target.List.newBuilder().addAllTarget(java.util.List.of(targets)).build();
  }

  public static StateKey key(String transform, String name, String userKey) {
    return StateKey.newBuilder()
        .setTarget(target(transform, name))
        .setWindow(ByteString.copyFromUtf8("window"))
        .setKey(ByteString.copyFromUtf8(userKey))
        .build();
  }
}
