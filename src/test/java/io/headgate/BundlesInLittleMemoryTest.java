package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.fn.kit.HttpRunner;
import io.headgate.fn.kit.TestHarness;
import io.headgate.kit.FreePorts;
import io.headgate.kit.GatewayProcess;
import java.io.InputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The program with a heap that is smaller than what goes through it. */
class BundlesInLittleMemoryTest {
  private static final int PIECE = 100 * 1024;
  private static final int PIECES = 1_024;
  private static final int READ_AT_FIRST = 50;

  private static GatewayProcess gateway(int port, int fnPort, int memberPort) {
    return new GatewayProcess(
        port,
        Path.of(System.getProperty("headgate.target", "target"))
            .toAbsolutePath()
            .resolve("gateways")
            .resolve("little-memory-" + port + ".log"),
        Map.of(
            "fn.enabled",
            "true",
            "fn.port",
            Integer.toString(fnPort),
            "fn.http.enabled",
            "true",
            "hazelcast.clusterName",
            "little-memory-" + memberPort,
            "hazelcast.port",
            Integer.toString(memberPort),
            "hazelcast.members",
            "127.0.0.1:" + memberPort),
        List.of("-Xmx64m", "-XX:MaxDirectMemorySize=32m", "-XX:+ExitOnOutOfMemoryError"));
  }

  /** One that can be told from its neighbours. */
  private static byte[] piece(int index) {
    return ByteBuffer.allocate(PIECE).putInt(0, index).putInt(PIECE - 4, index).array();
  }

  private static void assertNextPieces(InputStream output, int from, int to) throws Exception {
    for (int i = from; i < to; i++) {
      assertThat(output.readNBytes(PIECE)).as("piece %s", i).isEqualTo(piece(i));
    }
  }

  @Test
  void F5_a_hundred_megabytes_go_in_and_out_and_a_reader_that_stops_holds_the_writer()
      throws Exception {
    List<Integer> ports = FreePorts.pick(3);
    try (GatewayProcess gateway = gateway(ports.get(0), ports.get(1), ports.get(2))) {
      gateway.start();
      gateway.awaitReady(Duration.ofSeconds(90));
      HttpRunner runner = new HttpRunner(gateway);
      runner.register("d1");
      try (TestHarness harness = TestHarness.connect(ports.get(1), "w1").echoingInStep()) {
        String bundle = runner.start("w1", "d1");
        Iterable<byte[]> pieces =
            () -> IntStream.range(0, PIECES).mapToObj(i -> piece(i)).iterator();
        try (InputStream output = runner.output(bundle)) {
          CompletableFuture<HttpResponse<String>> input =
              runner.give(bundle, BodyPublishers.ofByteArrays(pieces));
          assertNextPieces(output, 0, READ_AT_FIRST);

          AtomicLong before = new AtomicLong(-1);
          await("at rest")
              .pollInterval(Duration.ofMillis(500))
              .until(() -> before.get() == before.updateAndGet(old -> runner.taken(bundle)));
          // Buffers of the harness, both HTTP/2 windows, and what systems hold of four connections.
          assertThat(runner.taken(bundle)).isLessThan((READ_AT_FIRST * PIECE) + (32L << 20));
          assertThat(gateway.metric("headgate_fn_held_bytes")).isLessThan(5 << 20);
          assertThat(input).isNotDone();

          assertNextPieces(output, READ_AT_FIRST, PIECES);
          assertThat(output.read()).isEqualTo(-1);
          assertThat(input.get().body()).isEqualTo("{\"ended\":true}");
        }
        runner.awaitPhase(bundle, "SUCCEEDED");
        assertThat(runner.taken(bundle)).isEqualTo((long) PIECES * PIECE);
        assertThat(gateway.metric("headgate_fn_held_bytes")).isZero();
      }
      assertThat(gateway.log()).doesNotContain("OutOfMemory", " ERROR ");
    }
  }
}
