package io.headgate.bench;

import io.headgate.peer.ZetaCluster;
import io.headgate.peer.ZetaConfig;
import io.headgate.peer.ZetaEngine;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * What polling costs a real engine (P11): its own job-info for a finished and for a running job,
 * and the same finished job through the gateway. Requests a second with 32 clients, and the CPU
 * time that the engine and the gateway spend on them.
 *
 * <pre>{@code
 * mvn -Pbench test-compile exec:exec -Dbench.include=engine
 * }</pre>
 */
public final class EngineComparison {
  private static final int CLIENTS = 32;
  private static final int SECONDS = 10;

  private EngineComparison() {}

  public static void main(String[] args) throws Exception {
    Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    ZetaConfig config = ZetaConfig.members(1).jvmOptions(List.of("-Xmx1g"));
    try (ZetaCluster cluster = ZetaCluster.start(config)) {
      ZetaEngine engine = cluster.member(0);
      String finished = engine.jobs().submit("batch_copy_filter");
      engine.jobs().awaitRetained(finished, "FINISHED", Duration.ofSeconds(30));
      String running = engine.jobs().submit("stream");
      engine.jobs().awaitActive(running, "RUNNING", Duration.ofSeconds(30));
      String base = "/hazelcast/rest/maps/job-info/";
      String member = "http://127.0.0.1:" + engine.port() + "/hazelcast/rest/maps";
      try (EdgeComparison.Server gateway = new EdgeComparison.Server("zeta", member, "1s");
          EdgeComparison.Server cold = new EdgeComparison.Server("zeta", member, "0")) {
        for (int round = 0; round < 2; round++) {
          System.out.println(round == 0 ? "warm-up" : "measured");
          measure(vertx, "engine, running job", engine.port(), base + running, engine, gateway);
          measure(vertx, "engine, finished job", engine.port(), base + finished, engine, gateway);
          measure(
              vertx,
              "gateway, finished job",
              gateway.port,
              "/job-lineage/" + finished,
              engine,
              gateway);
          measure(vertx, "gateway, no reuse", cold.port, "/job-lineage/" + finished, engine, cold);
        }
      }
    } finally {
      vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }
  }

  private static void measure(
      Vertx vertx,
      String what,
      int port,
      String path,
      ZetaEngine engine,
      EdgeComparison.Server gateway)
      throws Exception {
    double engineBefore = cpuSeconds(engine.pid());
    double gatewayBefore = gateway.cpuSeconds();
    PollingClient.Result result =
        new PollingClient(vertx, port, n -> path).closedLoop(CLIENTS, SECONDS);
    System.out.printf(
        Locale.ROOT,
        "%-22s %8.0f/s  p50 %6.2f p99 %6.2f ms  CPU: engine %5.2f s, gateway %5.2f s%n",
        what,
        result.rate(200),
        result.millis(200, 0.5),
        result.millis(200, 0.99),
        cpuSeconds(engine.pid()) - engineBefore,
        gateway.cpuSeconds() - gatewayBefore);
  }

  private static double cpuSeconds(long pid) throws IOException {
    String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / 100.0;
  }
}
