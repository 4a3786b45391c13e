package io.headgate.bench;

import io.headgate.graph.Call;
import io.headgate.graph.Execution;
import io.headgate.graph.JobGraphSource;
import io.headgate.graph.Lookup;
import io.headgate.graph.NodeKind;
import io.headgate.graph.ReportedGraph;
import io.headgate.kit.TestGateway;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;

/**
 * Whether pictures slow lineage down: fresh lookups at a steady rate, in turns alone, while one
 * picture is drawn after the other, each of another job and at the caps of what is drawn in full,
 * and while a thread that has nothing to do with the gateway keeps a core busy. What pictures cost
 * beyond that third figure is the gateway's fault.
 *
 * <pre>{@code
 * mvn -Pbench test-compile exec:exec -Dbench.include=picture
 * }</pre>
 */
public final class PictureRun {
  private static final int NODES = 300;
  private static final int EDGES = 1_000;

  /** How many nodes on an edge leads at most; so far that most pass some columns. */
  private static final int REACH = 12;

  private static final int ROUNDS = 6;
  private static final int LOOKUPS_A_ROUND = 500;
  private static final long NANOS_BETWEEN = 10_000_000;

  /** Lookups are of this job; pictures of others. */
  private static final long LOOKED_UP = 1;

  private final TestGateway gateway;
  private final List<Long> pictures = new ArrayList<>();
  private int failed;
  private int busy;
  private long nextJob = LOOKED_UP + 1;

  private PictureRun(TestGateway gateway) {
    this.gateway = gateway;
  }

  /**
   * What was seen; times in nanoseconds, in ascending order.
   *
   * @param without of lookups alone
   * @param with of lookups while pictures were drawn
   * @param beside of lookups beside a busy thread
   * @param pictures of the pictures
   * @param busy pictures that found no permit, or came late
   * @param failed lookups that were not 200, and pictures that were neither that nor 503
   * @param refused requests that found no permit of lineage
   */
  record Report(
      long[] without,
      long[] with,
      long[] beside,
      long[] pictures,
      int busy,
      int failed,
      double refused) {
    double ratio(double quantile) {
      return (double) at(with, quantile) / at(without, quantile);
    }

    /** The same against a busy thread. */
    double excess(double quantile) {
      return (double) at(with, quantile) / at(beside, quantile);
    }

    static long at(long[] times, double quantile) {
      return times[(int) (quantile * (times.length - 1))];
    }

    void print() {
      System.out.printf(
          Locale.ROOT,
          "%d lookups a side; %d pictures of %.0f ms (p50), %d busy; %d failed%n",
          without.length,
          pictures.length,
          at(pictures, 0.5) / 1e6,
          busy,
          failed);
      for (double quantile : new double[] {0.5, 0.9, 0.99}) {
        System.out.printf(
            Locale.ROOT,
            "p%.0f: alone %.2f ms, with pictures %.2f ms, beside a busy thread %.2f ms;"
                + " ratio %.2f and %.2f%n",
            100 * quantile,
            at(without, quantile) / 1e6,
            at(with, quantile) / 1e6,
            at(beside, quantile) / 1e6,
            ratio(quantile),
            excess(quantile));
      }
    }
  }

  public static void main(String[] args) {
    run().print();
  }

  /** Runs all rounds. */
  static Report run() {
    ReportedGraph small = ReportedGraph.chain(5);
    ReportedGraph large = large();
    JobGraphSource source =
        (jobId, deadline) -> {
          ReportedGraph graph = jobId == LOOKED_UP ? small : large;
          return Call.of(
              new Lookup.Found(
                  new ReportedGraph(jobId, graph.nodes(), graph.edges()).checked(),
                  Execution.ofEpoch(1, Instant.EPOCH),
                  false));
        };
    try (TestGateway gateway =
        TestGateway.embedding(
            source,
            "admission.freshness",
            "0",
            "picture.deadline",
            "60s",
            "http.idleTimeout",
            "10m")) {
      return new PictureRun(gateway).measure();
    }
  }

  private static ReportedGraph large() {
    Random random = new Random(20_261_130L);
    List<ReportedGraph.Node> nodes = new ArrayList<>();
    for (int id = 1; id <= NODES; id++) {
      NodeKind kind = NodeKind.values()[id % 3];
      nodes.add(
          new ReportedGraph.Node(
              id, kind, "stage " + id + " of a large job", List.of("db.t" + id)));
    }
    Set<Integer> edges = new TreeSet<>();
    while (edges.size() < EDGES) {
      int source = 1 + random.nextInt(NODES - 1);
      edges.add(source * NODES + Math.min(NODES - source, 1 + random.nextInt(REACH)));
    }
    return new ReportedGraph(
        LOOKED_UP,
        nodes,
        edges.stream()
            .map(e -> new ReportedGraph.Edge(1, e / NODES, e / NODES + e % NODES))
            .toList());
  }

  private Report measure() {
    lookups(); // both sides warm
    for (int i = 0; i < 3; i++) {
      picture();
    }
    pictures.clear();
    busy = 0;
    List<long[]> without = new ArrayList<>();
    List<long[]> with = new ArrayList<>();
    List<long[]> beside = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      without.add(lookups());
      with.add(lookupsDuring(this::picture));
      beside.add(lookupsDuring(PictureRun::spin));
    }
    double refused = gateway.metric("headgate_permits_refused_total{pool=\"lineage\"}");
    return new Report(
        sorted(without),
        sorted(with),
        sorted(beside),
        pictures.stream().mapToLong(Long::longValue).sorted().toArray(),
        busy,
        failed,
        refused);
  }

  private long[] lookupsDuring(Runnable work) {
    AtomicBoolean over = new AtomicBoolean();
    CompletableFuture<Void> worker =
        CompletableFuture.runAsync(
            () -> {
              while (!over.get()) {
                work.run();
              }
            },
            task -> new Thread(task, "beside").start());
    long[] times = lookups();
    over.set(true);
    worker.join();
    return times;
  }

  /** Keeps a core busy for about ten milliseconds. */
  private static void spin() {
    long end = System.nanoTime() + 10_000_000;
    while (end - System.nanoTime() > 0) {
      Thread.onSpinWait();
    }
  }

  private static long[] sorted(List<long[]> rounds) {
    return rounds.stream().flatMapToLong(LongStream::of).sorted().toArray();
  }

  private void picture() {
    long began = System.nanoTime();
    HttpResponse<String> response = gateway.get("/job-lineage/" + nextJob++ + "/graph.svg");
    switch (response.statusCode()) {
      case 200 -> pictures.add(System.nanoTime() - began);
      case 503 -> busy++; // for one, it leaves the last free permit to lookups
      default -> failed++;
    }
  }

  /** Lookups at a steady rate, however long they take; what each took from its turn on. */
  private long[] lookups() {
    List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
    long[] times = new long[LOOKUPS_A_ROUND];
    long start = System.nanoTime();
    for (int i = 0; i < LOOKUPS_A_ROUND; i++) {
      long turn = start + i * NANOS_BETWEEN;
      while (turn - System.nanoTime() > 0) {
        LockSupport.parkNanos(turn - System.nanoTime());
      }
      int index = i;
      answers.add(
          gateway
              .getAsync("/job-lineage/" + LOOKED_UP)
              .whenComplete((answer, failure) -> times[index] = System.nanoTime() - turn));
    }
    for (CompletableFuture<HttpResponse<String>> answer : answers) {
      if (answer.join().statusCode() != 200) {
        failed++;
      }
    }
    return times;
  }
}
