import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.okhttp.OkHttpChannelBuilder;
import io.grpc.stub.StreamObserver;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.beam.fn.v1.BeamFnApi.Elements;
import org.apache.beam.fn.v1.BeamFnApi.InstructionRequest;
import org.apache.beam.fn.v1.BeamFnApi.InstructionResponse;
import org.apache.beam.fn.v1.BeamFnApi.LogControl;
import org.apache.beam.fn.v1.BeamFnApi.LogEntry;
import org.apache.beam.fn.v1.BeamFnApi.PrimitiveTransformSplit;
import org.apache.beam.fn.v1.BeamFnApi.ProcessBundleDescriptor;
import org.apache.beam.fn.v1.BeamFnApi.ProcessBundleProgressResponse;
import org.apache.beam.fn.v1.BeamFnApi.ProcessBundleResponse;
import org.apache.beam.fn.v1.BeamFnApi.ProcessBundleSplitResponse;
import org.apache.beam.fn.v1.BeamFnApi.RegisterResponse;
import org.apache.beam.fn.v1.BeamFnApi.Target;
import org.apache.beam.fn.v1.BeamFnControlGrpc;
import org.apache.beam.fn.v1.BeamFnDataGrpc;
import org.apache.beam.fn.v1.BeamFnLoggingGrpc;

/**
 * A harness over the stubs that Beam published with 2.2.0, and over none of our code. It gives the
 * text of a bundle's input back in capitals, and fails a bundle whose last piece is "fail". It logs
 * what it is asked for, and ends when one of its streams does: with 0 if the gateway went away, and
 * 1 for any other reason.
 *
 * <p>PublishedStubsTest launches it from this source, in a process of its own. Argument: the port.
 */
final class StubsHarness {
  private static final Target OUTPUT =
      Target.newBuilder().setPrimitiveTransformReference("write").setName("in").build();

  private final CompletableFuture<Status> end = new CompletableFuture<>();
  /** By bundle, the last piece of its input. Held by whoever handles a message. */
  private final Map<String, String> last = new HashMap<>();

  private final StreamObserver<LogEntry.List> logging;
  private final StreamObserver<InstructionResponse> control;
  private final StreamObserver<Elements> data;

  private StubsHarness(int port) {
    synchronized (last) { // no message is handled before there are all three to answer on
      logging = BeamFnLoggingGrpc.newStub(channel(port)).logging(this.<LogControl>on(none -> {}));
      data = BeamFnDataGrpc.newStub(channel(port)).data(on(this::take));
      control = BeamFnControlGrpc.newStub(channel(port)).control(on(this::answer));
    }
  }

  public static void main(String[] arguments) {
    Status status = new StubsHarness(Integer.parseInt(arguments[0])).end.join();
    System.out.println(status);
    System.exit(status.getCode() == Status.Code.UNAVAILABLE ? 0 : 1);
  }

  /** Each service has a connection of its own, as with real harnesses. */
  private static ManagedChannel channel(int port) {
    return OkHttpChannelBuilder.forAddress("127.0.0.1", port).usePlaintext(true).build();
  }

  private <T> StreamObserver<T> on(Consumer<T> taker) {
    return new StreamObserver<T>() {
      @Override
      public void onNext(T message) {
        synchronized (last) {
          taker.accept(message);
        }
      }

      @Override
      public void onError(Throwable cause) {
        end.complete(Status.fromThrowable(cause));
      }

      @Override
      public void onCompleted() {
        end.complete(Status.OK);
      }
    };
  }

  private void answer(InstructionRequest request) {
    InstructionResponse.Builder response =
        InstructionResponse.newBuilder().setInstructionId(request.getInstructionId());
    switch (request.getRequestCase()) {
      case REGISTER:
        for (ProcessBundleDescriptor descriptor :
            request.getRegister().getProcessBundleDescriptorList()) {
          log(
              request,
              "register " + descriptor.getId() + new TreeSet<>(descriptor.getTransformsMap().keySet()));
        }
        response.setRegister(RegisterResponse.getDefaultInstance());
        break;
      case PROCESS_BUNDLE:
        log(
            request,
            "process " + request.getProcessBundle().getProcessBundleDescriptorReference());
        return; // answered when its input has ended
      case PROCESS_BUNDLE_PROGRESS:
        log(request, "progress of " + request.getProcessBundleProgress().getInstructionReference());
        response.setProcessBundleProgress(ProcessBundleProgressResponse.getDefaultInstance());
        break;
      case PROCESS_BUNDLE_SPLIT:
        log(
            request,
            "split of "
                + request.getProcessBundleSplit().getInstructionReference()
                + " at "
                + request.getProcessBundleSplit().getFraction());
        response.setProcessBundleSplit(
            ProcessBundleSplitResponse.newBuilder()
                .addSplits(
                    PrimitiveTransformSplit.newBuilder().setPrimitiveTransformReference("work")));
        break;
      default:
        response.setError("not understood: " + request);
    }
    control.onNext(response.build());
  }

  private void take(Elements elements) {
    for (Elements.Data piece : elements.getDataList()) {
      String bundle = piece.getInstructionReference();
      String text = piece.getData().toStringUtf8();
      send(bundle, text.toUpperCase(Locale.ROOT)); // the end, too
      if (!text.isEmpty()) {
        last.put(bundle, text);
        continue;
      }
      InstructionResponse.Builder response =
          InstructionResponse.newBuilder().setInstructionId(bundle);
      if (last.remove(bundle).equals("fail")) {
        response.setError("asked to fail");
      } else {
        response.setProcessBundle(ProcessBundleResponse.getDefaultInstance());
      }
      control.onNext(response.build());
    }
  }

  private void send(String bundle, String text) {
    data.onNext(
        Elements.newBuilder()
            .addData(
                Elements.Data.newBuilder()
                    .setInstructionReference(bundle)
                    .setTarget(OUTPUT)
                    .setData(ByteString.copyFromUtf8(text)))
            .build());
  }

  /** Every field that an entry has. These stubs number severities otherwise, hence by value. */
  private void log(InstructionRequest request, String message) {
    logging.onNext(
        LogEntry.List.newBuilder()
            .addLogEntries(
                LogEntry.newBuilder()
                    .setSeverityValue(30)
                    .setTimestamp(Timestamp.newBuilder().setSeconds(1_500_000_000).setNanos(7))
                    .setMessage(message)
                    .setTrace("at some.Place")
                    .setInstructionReference(request.getInstructionId())
                    .setPrimitiveTransformReference("work")
                    .setLogLocation("StubsHarness.java")
                    .setThread("main"))
            .build());
  }
}
