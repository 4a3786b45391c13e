package io.headgate.bench;

import io.headgate.kit.GatewayCluster;
import io.headgate.kit.GatewayProcess;
import io.headgate.kit.JobInfo;
import io.headgate.kit.PublicationBody;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A directory of 100,000 published jobs of 50 nodes each in a cluster of three: heap a job, and how
 * long a lookup takes that no recent answer serves.
 *
 * <pre>{@code
 * mvn -Pbench test-compile exec:exec -Dbench.include=directory
 * }</pre>
 */
public final class DirectoryRun {
  private static final int JOBS = 100_000;
  private static final int NODES = 50;
  private static final int PUBLISHERS = 6;
  private static final int CLIENTS = 4;
  private static final int SECONDS = 15;

  private DirectoryRun() {}

  public static void main(String[] args) throws Exception {
    try (GatewayCluster cluster =
        GatewayCluster.start(
            List.of("-Xmx1500m", "-XX:+UseSerialGC"),
            "source.order",
            "DIRECTORY",
            "admission.freshness",
            "0",
            "source.directory.permits",
            "8")) {
      long empty = heap(cluster);
      double seconds = publish(cluster);
      long full = heap(cluster);
      System.out.printf(
          Locale.ROOT,
          "%,d jobs of %d nodes published in %.0f s: %.0f/s%n",
          JOBS,
          NODES,
          seconds,
          JOBS / seconds);
      System.out.printf(
          Locale.ROOT,
          "heap of all three: %,d MB empty, %,d MB full: %,d B a job with its backup%n",
          empty >> 20,
          full >> 20,
          (full - empty) / JOBS);
      measure("warm-up", cluster.member(0), CLIENTS);
      measure("1 client", cluster.member(0), 1);
      measure(CLIENTS + " clients", cluster.member(0), CLIENTS);
      long asked = heap(cluster);
      System.out.printf(
          Locale.ROOT, "heap after lookups: %,d MB (fence and numbering)%n", asked >> 20);
    }
  }

  /** Returns how long it took, in seconds. */
  private static double publish(GatewayCluster cluster) throws Exception {
    AtomicInteger next = new AtomicInteger();
    ExecutorService threads = Executors.newFixedThreadPool(PUBLISHERS);
    long began = System.nanoTime();
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < PUBLISHERS; i++) {
      GatewayProcess gateway = cluster.member(i % cluster.members().size());
      running.add(threads.submit(() -> publish(gateway, next)));
    }
    for (Future<?> each : running) {
      each.get(20, TimeUnit.MINUTES);
    }
    threads.shutdown();
    return (System.nanoTime() - began) / 1e9;
  }

  private static void publish(GatewayProcess gateway, AtomicInteger next) {
    for (int id = next.incrementAndGet(); id <= JOBS; id = next.incrementAndGet()) {
      JobInfo job = JobInfo.of(id).nodes(NODES).name("stage of job " + id);
      var answer = gateway.publish(PublicationBody.of(job));
      if (answer.statusCode() != 200) {
        throw new IllegalStateException(answer.statusCode() + " " + answer.body());
      }
    }
  }

  private static void measure(String what, GatewayProcess gateway, int clients) throws Exception {
    Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    try {
      PollingClient.Result result =
          new PollingClient(
                  vertx,
                  gateway.port(),
                  n -> "/job-lineage/" + ThreadLocalRandom.current().nextInt(1, JOBS + 1))
              .closedLoop(clients, SECONDS);
      System.out.printf(
          Locale.ROOT,
          "lookups, %-10s %7.0f/s  p50 %6.2f  p99 %6.2f ms  (%d others)%n",
          what,
          result.rate(200),
          result.millis(200, 0.5),
          result.millis(200, 0.99),
          result.nanosByStatus().values().stream().mapToLong(n -> n.length).sum()
              - result.count(200));
    } finally {
      vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }
  }

  /** Bytes of heap in use in all three, after a collection. */
  private static long heap(GatewayCluster cluster) throws Exception {
    long sum = 0;
    for (GatewayProcess gateway : cluster.members()) {
      collect(gateway);
      sum += (long) gateway.metric("jvm_memory_used_bytes", "area=\"heap\"");
    }
    return sum;
  }

  private static void collect(GatewayProcess gateway) throws IOException, InterruptedException {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    int code =
        new ProcessBuilder(jcmd.toString(), Long.toString(gateway.pid()), "GC.run")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor();
    if (code != 0) {
      throw new IllegalStateException("jcmd: " + code);
    }
  }
}
