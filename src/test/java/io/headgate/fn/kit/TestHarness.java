package io.headgate.fn.kit;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import org.apache.beam.fn.v1.BeamFnApi.Elements;
import org.apache.beam.fn.v1.BeamFnApi.InstructionRequest;
import org.apache.beam.fn.v1.BeamFnApi.InstructionResponse;
import org.apache.beam.fn.v1.BeamFnApi.LogControl;
import org.apache.beam.fn.v1.BeamFnApi.LogEntry;
import org.apache.beam.fn.v1.BeamFnApi.ProcessBundleResponse;
import org.apache.beam.fn.v1.BeamFnApi.RegisterResponse;
import org.apache.beam.fn.v1.BeamFnApi.StateRequest;
import org.apache.beam.fn.v1.BeamFnApi.StateResponse;
import org.apache.beam.fn.v1.BeamFnApi.Target;
import org.jspecify.annotations.Nullable;

/**
 * A harness over grpc-java that does what a test tells it, stream by stream; and one that echoes.
 * As the real ones do it has one connection for each stream.
 */
public final class TestHarness implements AutoCloseable {
  private static final Metadata.Key<String> WORKER_ID =
      Metadata.Key.of("worker_id", Metadata.ASCII_STRING_MARSHALLER);
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
  private static final int PLENTY = 1_000_000;

  private final ManagedChannel[] channels = new ManagedChannel[4];
  private final Metadata headers = new Metadata();
  private @Nullable ClientStream<InstructionResponse, InstructionRequest> control;
  private @Nullable ClientStream<Elements, Elements> data;
  private @Nullable ClientStream<StateRequest, StateResponse> state;
  private @Nullable ClientStream<LogEntry.List, LogControl> logging;

  private TestHarness(
      @Nullable String workerId, @Nullable String token, Supplier<NettyChannelBuilder> channel) {
    if (workerId != null) {
      headers.put(WORKER_ID, workerId);
    }
    if (token != null) {
      headers.put(AUTHORIZATION, token);
    }
    for (int i = 0; i < channels.length; i++) {
      channels[i] = channel.get().maxInboundMessageSize(5 << 20).flowControlWindow(1 << 20).build();
    }
  }

  private static NettyChannelBuilder plain(int port) {
    return NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext();
  }

  /** One without any stream yet, whose calls carry this {@code authorization}. */
  public static TestHarness withToken(int port, String workerId, @Nullable String authorization) {
    return new TestHarness(workerId, authorization, () -> plain(port));
  }

  /** One without any stream yet, over TLS, that trusts this certificate only. */
  public static TestHarness overTls(int port, String workerId, Path certificate) {
    return new TestHarness(
        workerId,
        null,
        () -> {
          try {
            return NettyChannelBuilder.forAddress("127.0.0.1", port)
                .sslContext(GrpcSslContexts.forClient().trustManager(certificate.toFile()).build());
          } catch (SSLException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  /** One without any stream yet. */
  public static TestHarness idle(int port, @Nullable String workerId) {
    return new TestHarness(workerId, null, () -> plain(port));
  }

  /** One with a Control stream. */
  public static TestHarness connect(int port, @Nullable String workerId) {
    TestHarness harness = idle(port, workerId);
    if (!harness.control().accepted()) {
      throw new AssertionError("not let in: " + harness.control().ended());
    }
    return harness;
  }

  public ClientStream<InstructionResponse, InstructionRequest> control() {
    if (control == null) {
      control = openControl();
    }
    return control;
  }

  public ClientStream<InstructionResponse, InstructionRequest> openControl() {
    control = ClientStream.open(channels[0], Calls.CONTROL, headers, PLENTY);
    return control;
  }

  public ClientStream<Elements, Elements> data() {
    if (data == null) {
      data = openData(PLENTY);
    }
    return data;
  }

  public ClientStream<Elements, Elements> openData(int credit) {
    data = ClientStream.open(channels[1], Calls.DATA, headers, credit);
    return data;
  }

  public ClientStream<StateRequest, StateResponse> state() {
    if (state == null) {
      state = openState();
    }
    return state;
  }

  public ClientStream<StateRequest, StateResponse> openState() {
    state = ClientStream.open(channels[2], Calls.STATE, headers, PLENTY);
    return state;
  }

  public ClientStream<LogEntry.List, LogControl> logging() {
    if (logging == null) {
      logging = openLogging();
    }
    return logging;
  }

  public ClientStream<LogEntry.List, LogControl> openLogging() {
    logging = ClientStream.open(channels[3], Calls.LOGGING, headers, PLENTY);
    return logging;
  }

  /** A further stream, on a connection that others use, with messages of any bytes. */
  public ClientStream<byte[], byte[]> openRaw(String call) {
    return ClientStream.open(channels[0], Calls.raw(call), headers, PLENTY);
  }

  /** Takes the next instruction, which must be a register, and says yes to it. */
  public InstructionRequest takeRegister() {
    InstructionRequest request = control().next();
    if (!request.hasRegister()) {
      throw new AssertionError("no register: " + request);
    }
    control().send(registered(request.getInstructionId()));
    return request;
  }

  /** Takes the next instruction, which must be a bundle. */
  public InstructionRequest takeBundle() {
    InstructionRequest request = control().next();
    if (!request.hasProcessBundle()) {
      throw new AssertionError("no bundle: " + request);
    }
    return request;
  }

  /** Says that the bundle is processed. */
  public void processed(String bundle) {
    control().send(processedResponse(bundle));
  }

  public static InstructionResponse registered(String id) {
    return InstructionResponse.newBuilder()
        .setInstructionId(id)
        .setRegister(RegisterResponse.getDefaultInstance())
        .build();
  }

  public static InstructionResponse processedResponse(String id) {
    return InstructionResponse.newBuilder()
        .setInstructionId(id)
        .setProcessBundle(ProcessBundleResponse.getDefaultInstance())
        .build();
  }

  public static InstructionResponse failed(String id, String error) {
    return InstructionResponse.newBuilder().setInstructionId(id).setError(error).build();
  }

  /** A message with one piece. */
  public static Elements piece(String bundle, Target target, byte[] bytes) {
    return Elements.newBuilder()
        .addData(
            Elements.Data.newBuilder()
                .setInstructionReference(bundle)
                .setTarget(target)
                .setData(ByteString.copyFrom(bytes)))
        .build();
  }

  /** A message that ends a logical stream. */
  public static Elements end(String bundle, Target target) {
    return piece(bundle, target, new byte[0]);
  }

  /**
   * From now on says yes to every register, and gives what comes on a bundle's input back on its
   * output; when the input ends, so does the output, and the bundle.
   */
  public TestHarness echoing() {
    registering();
    data().handler(this::echo);
    return this;
  }

  /** The same, but takes nothing more while its own stream is full. */
  public TestHarness echoingInStep() {
    registering();
    ClientStream<Elements, Elements> stream = openData(0);
    AtomicBoolean waits = new AtomicBoolean();
    Runnable takeNext =
        () -> {
          if (stream.isReady() && waits.getAndSet(false)) {
            stream.request(1);
          }
        };
    stream.onReady(takeNext);
    stream.handler(
        elements -> {
          echo(elements);
          waits.set(true);
          takeNext.run();
        });
    stream.request(1);
    return this;
  }

  private void registering() {
    control()
        .handler(
            request -> {
              if (request.hasRegister()) {
                control().send(registered(request.getInstructionId()));
              }
            });
  }

  private void echo(Elements elements) {
    for (Elements.Data piece : elements.getDataList()) {
      data()
          .send(Elements.newBuilder().addData(piece.toBuilder().setTarget(Samples.OUTPUT)).build());
      if (piece.getData().isEmpty()) {
        processed(piece.getInstructionReference());
      }
    }
  }

  /** Breaks all connections at once, as a killed process does. */
  public void kill() {
    for (ManagedChannel channel : channels) {
      channel.shutdownNow();
    }
  }

  @Override
  public void close() {
    kill();
    try {
      for (ManagedChannel channel : channels) {
        channel.awaitTermination(10, TimeUnit.SECONDS);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
