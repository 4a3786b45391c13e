package io.headgate.bench;

import com.google.protobuf.InvalidProtocolBufferException;
import com.sun.management.OperatingSystemMXBean;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.headgate.fn.BundleHandle;
import io.headgate.fn.BundleInput;
import io.headgate.fn.BundleOutput;
import io.headgate.fn.kit.Calls;
import io.headgate.fn.kit.FnGateway;
import io.headgate.fn.kit.Samples;
import io.headgate.fn.kit.TestHarness;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.grpc.common.GrpcMessageDecoder;
import io.vertx.grpc.common.GrpcMessageEncoder;
import io.vertx.grpc.common.ServiceMethod;
import io.vertx.grpc.common.ServiceName;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.GrpcServerOptions;
import io.vertx.grpc.server.GrpcServerRequest;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.beam.fn.v1.BeamFnApi.Elements;

/**
 * How fast data goes through a bundle and back, against an echo of the same messages by Vert.x gRPC
 * with nothing around it: once with messages as bytes, once read and written by protobuf.
 *
 * <pre>{@code
 * mvn -Pbench test-compile exec:exec -Dbench.include=fn
 * }</pre>
 *
 * <p>On every side each message crosses the socket twice, on one stream of one connection, with one
 * event loop at the client and one at the server. The echo's client makes the messages and counts
 * them, and the server gives them back. With a bundle it is the other way round: a runner, on one
 * more loop of the server, makes and counts them, and the client, a harness, gives them back.
 * Whoever makes them sends the same array again and again; whoever gives them back sends what came.
 *
 * <p>All in one process, so the other end of the connection takes its share of the same processors
 * on every side; that is why only the ratio counts. Sides take turns, in another order each round
 * and each with a heap that was cleared before, and the median is taken.
 */
public final class DataPlaneComparison {
  private static final int MESSAGE = 1 << 20;
  private static final int MESSAGES = 1_000;
  private static final int ROUNDS = 9;
  private static final OperatingSystemMXBean PROCESS =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private DataPlaneComparison() {}

  private interface Side {
    /** Sends that many messages there and back. */
    void run(int messages) throws Exception;
  }

  public static void main(String[] args) throws Exception {
    Vertx vertx = Vertx.vertx();
    try (FnGateway gateway = FnGateway.open()) {
      gateway.register("d1");
      EchoHarness harness = new EchoHarness(gateway.port());
      int bytes = bare(vertx, GrpcMessageEncoder.IDENTITY, GrpcMessageDecoder.IDENTITY);
      int messages =
          bare(
              vertx,
              GrpcMessageEncoder.encoder(),
              GrpcMessageDecoder.decoder(Elements.getDefaultInstance()));
      Side bundle = count -> bundle(gateway, count);
      Side asBytes = count -> new Pump(bytes).run(count);
      Side asMessages = count -> new Pump(messages).run(count);
      List<Side> sides = List.of(bundle, asBytes, asMessages);
      for (Side side : sides) {
        side.run(MESSAGES / 2); // warm
      }
      double[][] rates = new double[sides.size()][ROUNDS];
      double[][] work = new double[sides.size()][ROUNDS];
      for (int round = 0; round < ROUNDS; round++) {
        for (int turn = 0; turn < sides.size(); turn++) {
          int i = (round + turn) % sides.size();
          System.gc();
          long began = System.nanoTime();
          long cpu = PROCESS.getProcessCpuTime();
          sides.get(i).run(MESSAGES);
          rates[i][round] = MESSAGES * 1e9 / (System.nanoTime() - began);
          work[i][round] = MESSAGES * 1e9 / (PROCESS.getProcessCpuTime() - cpu);
        }
      }
      report("through a bundle", rates[0]);
      report("bare echo of bytes", rates[1]);
      report("bare echo of messages", rates[2]);
      System.out.printf(
          Locale.ROOT,
          "E-F1 bundle / bare echo: %.2f of bytes, %.2f of messages (target: at least 0.9)%n",
          ratio(rates[0], rates[1]),
          ratio(rates[0], rates[2]));
      System.out.printf(
          Locale.ROOT,
          "the same for MiB a second of CPU, both ends: %.2f of bytes, %.2f of messages%n",
          ratio(work[0], work[1]),
          ratio(work[0], work[2]));
      harness.close();
    } finally {
      vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }
  }

  private static void report(String name, double[] rates) {
    System.out.printf(Locale.ROOT, "%-24s %6.0f MiB/s (%s)%n", name, median(rates), text(rates));
  }

  private static String text(double[] rates) {
    List<String> all = new ArrayList<>();
    for (double rate : rates) {
      all.add(Long.toString(Math.round(rate)));
    }
    return String.join(" ", all);
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private static double ratio(double[] above, double[] below) {
    double[] ratios = new double[above.length];
    for (int i = 0; i < above.length; i++) {
      ratios[i] = above[i] / below[i];
    }
    return median(ratios);
  }

  /** An echo with the windows of the Fn port; gives its port. */
  private static <T> int bare(
      Vertx vertx, GrpcMessageEncoder<T> encoder, GrpcMessageDecoder<T> decoder) throws Exception {
    GrpcServer grpc = GrpcServer.server(vertx, new GrpcServerOptions().setMaxMessageSize(4 << 20));
    ServiceMethod<T, T> method =
        ServiceMethod.server(
            ServiceName.create("org.apache.beam.fn.v1.BeamFnData"), "Data", encoder, decoder);
    grpc.callHandler(method, DataPlaneComparison::echo);
    HttpServer server =
        vertx
            .createHttpServer(
                new HttpServerOptions()
                    .setHost("127.0.0.1")
                    .setPort(0)
                    .setHttp2ConnectionWindowSize(4 << 20)
                    .setInitialSettings(new Http2Settings().setInitialWindowSize(1 << 20)))
            .requestHandler(grpc);
    return server
        .listen()
        .toCompletionStage()
        .toCompletableFuture()
        .get(10, TimeUnit.SECONDS)
        .actualPort();
  }

  private static <T> void echo(GrpcServerRequest<T, T> request) {
    request.handler(
        message -> {
          request.response().write(message);
          if (request.response().writeQueueFull()) {
            request.pause();
            request.response().drainHandler(v -> request.resume());
          }
        });
    request.endHandler(v -> request.response().end());
  }

  private static ManagedChannel channel(int port) {
    return NettyChannelBuilder.forAddress("127.0.0.1", port)
        .usePlaintext()
        .directExecutor()
        .maxInboundMessageSize(5 << 20)
        .flowControlWindow(1 << 20)
        .build();
  }

  /** Sends messages to an echo and counts what comes back. */
  private static final class Pump extends ClientCall.Listener<byte[]> {
    private final ManagedChannel channel;
    private final ClientCall<byte[], byte[]> call;
    private final CountDownLatch done = new CountDownLatch(1);
    private final AtomicInteger received = new AtomicInteger();
    private final byte[] message =
        TestHarness.piece("0123456789abcdef01234567-1", Samples.INPUT, new byte[MESSAGE])
            .toByteArray();
    private int sent;
    private int count;

    Pump(int port) {
      channel = channel(port);
      MethodDescriptor<byte[], byte[]> method = Calls.raw("BeamFnData/Data");
      call = channel.newCall(method, CallOptions.DEFAULT);
    }

    void run(int messages) throws InterruptedException {
      count = messages;
      call.start(this, new Metadata());
      call.request(messages);
      if (!done.await(300, TimeUnit.SECONDS)) {
        throw new IllegalStateException("got " + received);
      }
      channel.shutdownNow();
    }

    @Override
    public void onReady() {
      while (sent < count && call.isReady()) {
        call.sendMessage(message);
        sent++;
      }
    }

    @Override
    public void onMessage(byte[] echoed) {
      if (received.incrementAndGet() == count) {
        done.countDown();
      }
    }
  }

  /** Writes messages into a bundle and counts what comes out. */
  private static void bundle(FnGateway gateway, int messages) throws Exception {
    BundleHandle bundle = gateway.start("bench", "d1");
    AtomicLong received = new AtomicLong();
    BundleOutput output = FnGateway.get(bundle.output(Samples.OUT));
    output.handler(bytes -> received.addAndGet(bytes.length()));
    BundleInput input = FnGateway.get(bundle.input(Samples.IN));
    input.setWriteQueueMaxSize(4 << 20);
    Buffer message = Buffer.buffer(new byte[MESSAGE]);
    AtomicInteger sent = new AtomicInteger();
    CountDownLatch written = new CountDownLatch(1);
    Runnable write =
        new Runnable() {
          @Override
          public void run() {
            while (sent.get() < messages && !input.writeQueueFull()) {
              sent.incrementAndGet();
              input.write(message);
            }
            if (sent.get() < messages) {
              input.drainHandler(v -> run());
            } else if (written.getCount() > 0) {
              written.countDown();
              input.end();
            }
          }
        };
    gateway.vertx().getOrCreateContext().runOnContext(v -> write.run());
    await(bundle);
    if (received.get() != (long) messages * MESSAGE) {
      throw new IllegalStateException("got " + received);
    }
  }

  private static void await(BundleHandle bundle) throws Exception {
    bundle.ended().toCompletionStage().toCompletableFuture().get(300, TimeUnit.SECONDS);
  }

  /** A harness that gives every message back from its output, with the bytes as they came. */
  private static final class EchoHarness implements AutoCloseable {
    /** As it happens, both take the same number of bytes. */
    private static final byte[] INPUT = Samples.INPUT.toByteArray();

    private static final byte[] OUTPUT = Samples.OUTPUT.toByteArray();

    private final TestHarness control;
    private final ManagedChannel channel;

    EchoHarness(int port) {
      control = TestHarness.connect(port, "bench");
      control
          .control()
          .handler(
              request -> {
                if (request.hasRegister()) {
                  control.control().send(TestHarness.registered(request.getInstructionId()));
                }
              });
      channel = channel(port);
      Metadata headers = new Metadata();
      headers.put(Metadata.Key.of("worker_id", Metadata.ASCII_STRING_MARSHALLER), "bench");
      ClientCall<byte[], byte[]> call =
          channel.newCall(Calls.raw("BeamFnData/Data"), CallOptions.DEFAULT);
      call.start(new Echo(call), headers);
      call.request(4);
    }

    private final class Echo extends ClientCall.Listener<byte[]> {
      private final ClientCall<byte[], byte[]> call;
      private int owed;

      Echo(ClientCall<byte[], byte[]> call) {
        this.call = call;
      }

      @Override
      public void onMessage(byte[] message) {
        readdress(message);
        call.sendMessage(message);
        if (message.length < MESSAGE) {
          control.processed(bundle(message));
        }
        owed++;
        onReady();
      }

      @Override
      public void onReady() {
        if (owed > 0 && call.isReady()) {
          call.request(owed);
          owed = 0;
        }
      }

      @Override
      public void onClose(Status status, Metadata trailers) {
        if (status.getCode() != Status.Code.UNAVAILABLE) {
          System.out.println("data stream: " + status);
        }
      }
    }

    private static void readdress(byte[] message) {
      int at = 0;
      while (!Arrays.equals(message, at, at + INPUT.length, INPUT, 0, INPUT.length)) {
        at++;
      }
      System.arraycopy(OUTPUT, 0, message, at, OUTPUT.length);
    }

    private static String bundle(byte[] message) {
      try {
        return Elements.parseFrom(message).getData(0).getInstructionReference();
      } catch (InvalidProtocolBufferException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void close() {
      channel.shutdownNow();
      control.close();
    }
  }
}
