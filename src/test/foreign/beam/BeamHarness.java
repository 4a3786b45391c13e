import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.beam.fn.harness.FnHarness;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.ProcessBundleDescriptor;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.Target;
import org.apache.beam.model.pipeline.v1.Endpoints.ApiServiceDescriptor;
import org.apache.beam.runners.core.construction.PipelineTranslation;
import org.apache.beam.runners.core.construction.graph.ExecutableStage;
import org.apache.beam.runners.core.construction.graph.GreedyPipelineFuser;
import org.apache.beam.runners.core.construction.graph.PipelineNode.PTransformNode;
import org.apache.beam.runners.fnexecution.control.ProcessBundleDescriptors;
import org.apache.beam.runners.fnexecution.control.ProcessBundleDescriptors.ExecutableProcessBundleDescriptor;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.vendor.grpc.v1p13p1.com.google.protobuf.ByteString;

/**
 * Beam's Java SDK harness 2.11.0 as it was published, and the {@link Bridge} that it needs, since
 * it speaks the successor of the gateway's protocol. The stages that it can run are those of {@link
 * Stages}, as Beam's own fusion makes them. Ends when the harness does, as when one of its streams
 * ends.
 *
 * <p>RealHarnessTest compiles and starts it, in a process of its own. Arguments: the gateway's
 * port, the harness's id, a file, and a folder that is first on the class path. The file gets a line
 * for each stage before the harness connects: its id; transform and name of the input; transform
 * and name of the output; tabs between them.
 */
final class BeamHarness {
  private BeamHarness() {}

  public static void main(String[] arguments) throws Exception {
    Relocation.into(Path.of(arguments[3])); // before anything of Beam's asks for it
    Map<String, ByteString> descriptors = new HashMap<>();
    Bridge bridge = Bridge.open(Integer.parseInt(arguments[0]), descriptors);
    ApiServiceDescriptor here =
        ApiServiceDescriptor.newBuilder().setUrl("127.0.0.1:" + bridge.port()).build();
    List<String> lines = new ArrayList<>();
    for (ExecutableStage stage :
        GreedyPipelineFuser.fuse(PipelineTranslation.toProto(Stages.pipeline())).getFusedStages()) {
      String id = id(stage);
      ExecutableProcessBundleDescriptor made =
          ProcessBundleDescriptors.fromExecutableStage(id, stage, here, here);
      lines.add(id + "\t" + text(input(made)) + "\t" + text(output(made)));
      ProcessBundleDescriptor descriptor = made.getProcessBundleDescriptor();
      descriptors.put(id, descriptor.toByteString());
    }
    Files.write(Path.of(arguments[2]), lines);
    try {
      FnHarness.main(arguments[1], PipelineOptionsFactory.create(), here, here);
    } finally {
      System.exit(0); // whatever still runs, and however its streams ended
    }
  }

  /** Each stage has one transform of ours. */
  private static String id(ExecutableStage stage) {
    List<PTransformNode> transforms = new ArrayList<>(stage.getTransforms());
    if (transforms.size() != 1) {
      throw new IllegalStateException("fused: " + transforms);
    }
    String name = transforms.get(0).getTransform().getUniqueName();
    return name.substring(0, name.indexOf('/'));
  }

  private static Target input(ExecutableProcessBundleDescriptor made) throws IOException {
    return made.getRemoteInputDestinations().values().iterator().next().getTarget();
  }

  private static Target output(ExecutableProcessBundleDescriptor made) {
    return made.getOutputTargetCoders().keySet().iterator().next();
  }

  private static String text(Target target) {
    return target.getPrimitiveTransformReference() + "\t" + target.getName();
  }
}
