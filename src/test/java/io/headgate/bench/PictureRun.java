package io.headgate.bench;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;

/**
 * Whether pictures slow lineage down: fresh lookups in turns alone, while one picture is drawn
 * after the other, each of another job and at the caps of what is drawn in full, and while a thread
 * that has nothing to do with the gateway keeps a core busy. What pictures cost beyond that third
 * figure is the gateway's fault. Once with few lookups, and once with as many as there can be.
 *
 * <p>The gateway runs in a process of its own. It draws for a while before anything is counted: its
 * compiler would else take the second core of a small machine.
 *
 * <pre>{@code
 * mvn -Pbench test-compile exec:exec -Dbench.include=picture
 * }</pre>
 */
public final class PictureRun {
  private static final int ROUNDS = 6;
  private static final double SECONDS = 5;
  private static final double FEW_A_SECOND = 100;
  private static final int CONNECTIONS = 16;

  private static final int CLIENTS = 2;

  /** So long, and the compiler has seen most of what it needs. */
  private static final double WARM_SECONDS = 60;

  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
  private final Vertx painting = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
  private final int port;
  private Seen pictures = Seen.NOTHING;
  private long failed;
  private long failedPictures;
  private long nextPicture;
  private long nextLookup;

  private PictureRun(int port) {
    this.port = port;
  }

  /**
   * One load in its three turns.
   *
   * @param load what it is called
   */
  record Turns(String load, Seen alone, Seen with, Seen beside) {
    void print() {
      System.out.printf(
          Locale.ROOT,
          "%s: alone %.0f/s, with pictures %.0f/s, beside a busy thread %.0f/s%n",
          load,
          alone.rate(),
          with.rate(),
          beside.rate());
      for (double quantile : new double[] {0.5, 0.9, 0.99}) {
        System.out.printf(
            Locale.ROOT,
            "  p%.0f: alone %.2f ms, with pictures %.2f ms, beside a busy thread %.2f ms;"
                + " ratio %.2f and %.2f%n",
            100 * quantile,
            alone.at(quantile) / 1e6,
            with.at(quantile) / 1e6,
            beside.at(quantile) / 1e6,
            with.at(quantile) / alone.at(quantile),
            excess(quantile));
      }
    }

    /** How much slower lookups are than beside a busy thread. */
    double excess(double quantile) {
      return with.at(quantile) / beside.at(quantile);
    }

    /** How many lookups are left of those beside a busy thread. */
    double left() {
      return with.rate() / beside.rate();
    }
  }

  /** Lookups of one kind of turn; times in nanoseconds, in ascending order. */
  record Seen(long[] times, double seconds) {
    static final Seen NOTHING = new Seen(new long[0], 0);

    double at(double quantile) {
      return times[(int) (quantile * (times.length - 1))];
    }

    double rate() {
      return times.length / seconds;
    }

    Seen and(Seen more) {
      long[] all = Arrays.copyOf(times, times.length + more.times.length);
      System.arraycopy(more.times, 0, all, times.length, more.times.length);
      Arrays.sort(all);
      return new Seen(all, seconds + more.seconds);
    }
  }

  /**
   * What was seen.
   *
   * @param few lookups at a low and steady rate
   * @param many lookups as fast as they are answered
   * @param pictures the pictures
   * @param failed lookups that were not 200
   * @param failedPictures the same of pictures
   */
  record Report(Turns few, Turns many, Seen pictures, long failed, long failedPictures) {
    void print() {
      System.out.printf(
          Locale.ROOT,
          "%.0f pictures a second, of %.0f ms (p50); not 200: %d lookups, %d pictures%n",
          pictures.rate(),
          pictures.at(0.5) / 1e6,
          failed,
          failedPictures);
      few.print();
      many.print();
    }
  }

  public static void main(String[] args) throws Exception {
    run().print();
  }

  /** Runs all rounds. */
  static Report run() throws Exception {
    try (EdgeComparison.Server server = new EdgeComparison.Server("pictures")) {
      PictureRun run = new PictureRun(server.port);
      try {
        return run.measure();
      } finally {
        for (Vertx clients : new Vertx[] {run.vertx, run.painting}) {
          clients.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
        }
      }
    }
  }

  private Report measure() throws Exception {
    few();
    many();
    pictures(WARM_SECONDS);
    failed = failedPictures = 0; // a cold process holds its client up, which then asks in a burst
    Turns few = turns(FEW_A_SECOND + " lookups a second", this::few);
    Turns many = turns(CLIENTS + " clients", this::many);
    return new Report(few, many, pictures, failed, failedPictures);
  }

  private interface Load {
    Seen run() throws Exception;
  }

  private Turns turns(String name, Load load) throws Exception {
    Seen alone = Seen.NOTHING;
    Seen with = Seen.NOTHING;
    Seen beside = Seen.NOTHING;
    for (int round = 0; round < ROUNDS; round++) {
      alone = alone.and(load.run());
      FutureTask<Seen> drawing = begin(() -> pictures(SECONDS));
      with = with.and(load.run());
      pictures = pictures.and(drawing.get());
      FutureTask<Seen> spinning = begin(PictureRun::spin);
      beside = beside.and(load.run());
      spinning.get();
    }
    return new Turns(name, alone, with, beside);
  }

  private static FutureTask<Seen> begin(Load work) {
    FutureTask<Seen> task = new FutureTask<>(work::run);
    new Thread(task, "beside").start();
    return task;
  }

  private Seen few() throws Exception {
    return lookedUp(lookups().openLoop(CONNECTIONS, SECONDS, FEW_A_SECOND));
  }

  private Seen many() throws Exception {
    return lookedUp(lookups().closedLoop(CLIENTS, SECONDS));
  }

  private Seen pictures(double seconds) throws Exception {
    PollingClient client = client(painting, n -> LargeJobs.large(nextPicture++), "/graph.svg");
    PollingClient.Result result = client.closedLoop(1, seconds);
    failedPictures += failures(result);
    return seen(result, seconds);
  }

  private PollingClient lookups() {
    return client(vertx, n -> LargeJobs.small(nextLookup++), "");
  }

  private PollingClient client(Vertx loop, LongUnaryOperator job, String resource) {
    return new PollingClient(loop, port, n -> "/job-lineage/" + job.applyAsLong(n) + resource);
  }

  private Seen lookedUp(PollingClient.Result result) {
    failed += failures(result);
    return seen(result, SECONDS);
  }

  private static long failures(PollingClient.Result result) {
    return result.broken()
        + result.notSent()
        + result.nanosByStatus().keySet().stream()
            .filter(status -> status != 200)
            .mapToLong(result::count)
            .sum();
  }

  private static Seen seen(PollingClient.Result result, double seconds) {
    return new Seen(result.nanosByStatus().getOrDefault(200, new long[0]), seconds);
  }

  /** Keeps a core busy. */
  private static Seen spin() {
    long end = System.nanoTime() + (long) (SECONDS * 1e9);
    while (end - System.nanoTime() > 0) {
      Thread.onSpinWait();
    }
    return Seen.NOTHING;
  }
}
