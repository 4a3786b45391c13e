package io.headgate.bench;

import io.headgate.admission.Workers;
import io.headgate.graph.Call;
import io.headgate.graph.Deadline;
import io.headgate.graph.Unavailability;
import io.headgate.timeline.ChangeReference;
import io.headgate.timeline.DecisionEvent;
import io.headgate.timeline.DecisionResult;
import io.headgate.timeline.Fault;
import io.headgate.timeline.Outcome;
import io.headgate.timeline.Receipt;
import io.headgate.timeline.SchemaChangeId;
import io.headgate.timeline.Stage;
import io.headgate.timeline.TimelineChange;
import io.headgate.timeline.TimelineQuery;
import io.headgate.timeline.TimelineStore;
import io.headgate.timeline.TimelineUnavailableException;
import io.headgate.timeline.live.RecorderDrain;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * T3: what a caller notices of the store behind the recorder. The caller does some work, as a sink
 * does for a schema change, and records what became of it; stores that answer, hang, fail and are
 * full take turns within one run.
 *
 * <pre>{@code mvn -Pbench test-compile exec:exec -Dbench.include=recorder}</pre>
 */
public final class RecorderRun {
  private static final int ROUNDS = 9;
  private static final int CHANGES = 8_000;
  private static final int WARM_UP = 20_000;

  /** Takes 27 µs: far quicker than any real change, so that much would show. */
  private static final int WORK_BYTES = 48 << 10;

  private static final ScheduledThreadPoolExecutor CLOCK = new ScheduledThreadPoolExecutor(1);

  /** How the store behaves. */
  private enum Kind {
    ANSWERS,
    HANGS,
    FAILS,
    FULL
  }

  private RecorderRun() {}

  public static void main(String[] args) throws Exception {
    try {
      for (Kind kind : Kind.values()) {
        new Round(kind).run(WARM_UP);
      }
      Map<Kind, List<Figures>> figures = new EnumMap<>(Kind.class);
      for (int i = 0; i < ROUNDS; i++) {
        for (Kind kind : Kind.values()) {
          figures.computeIfAbsent(kind, key -> new ArrayList<>()).add(new Round(kind).run(CHANGES));
        }
      }
      figures.forEach((kind, rounds) -> report(kind, rounds, figures.get(Kind.ANSWERS)));
    } finally {
      CLOCK.shutdownNow();
    }
  }

  private static void report(Kind kind, List<Figures> rounds, List<Figures> healthy) {
    double[] ratios =
        IntStream.range(0, ROUNDS)
            .mapToDouble(i -> rounds.get(i).change / healthy.get(i).change)
            .sorted()
            .toArray();
    System.out.printf(
        Locale.ROOT,
        "recorder, store %-8s change p50 %7.1f us, p99 %7.1f us; ratio %.3f (%.3f to %.3f);"
            + " record p50 %5.0f ns; dropped %,d of %,d%n",
        kind.name().toLowerCase(Locale.ROOT),
        median(rounds, Figures::change) / 1e3,
        median(rounds, Figures::late) / 1e3,
        ratios[ROUNDS / 2],
        ratios[0],
        ratios[ROUNDS - 1],
        median(rounds, Figures::record),
        rounds.stream().mapToLong(Figures::dropped).sum(),
        (long) ROUNDS * CHANGES);
  }

  private static double median(List<Figures> rounds, Function<Figures, Double> figure) {
    return rounds.stream().map(figure).sorted().toList().get(rounds.size() / 2);
  }

  /** Nanoseconds of a change with its recording, and of the recording alone. */
  private record Figures(double change, double late, double record, long dropped) {}

  /** One caller and one store. */
  private static final class Round {
    private final Workers worker = new Workers("recorder", 1);
    private final RecorderDrain drain;
    private final byte[] data = new byte[WORK_BYTES];

    Round(Kind kind) {
      drain = new RecorderDrain(new Store(kind), worker, System::nanoTime, () -> 7);
      new Random(1).nextBytes(data);
    }

    Figures run(int changes) throws Exception {
      long period = RecorderDrain.PERIOD.toMillis();
      var turns = CLOCK.scheduleWithFixedDelay(drain::turn, period, period, TimeUnit.MILLISECONDS);
      long[] whole = new long[changes];
      long[] recording = new long[changes];
      MessageDigest work = MessageDigest.getInstance("SHA-256");
      byte[] sum = {};
      for (int i = 0; i < changes; i++) {
        long begun = System.nanoTime();
        sum = work.digest(data);
        long done = System.nanoTime();
        drain.recorder().record(event(i));
        long recorded = System.nanoTime();
        data[0] = sum[0];
        whole[i] = recorded - begun;
        recording[i] = recorded - done;
      }
      turns.cancel(false);
      Arrays.sort(whole);
      Arrays.sort(recording);
      long dropped = drain.recorder().dropped() + drain.recorder().waiting();
      worker.close();
      return new Figures(
          whole[changes / 2], whole[changes * 99 / 100], recording[changes / 2], dropped);
    }
  }

  private static final ChangeReference CHANGE = ChangeReference.ByKey.of("binlog.000007:4711");

  private static DecisionEvent.Builder event(int number) {
    return DecisionEvent.of(1 + number % 8, CHANGE, Stage.COMPLETED)
        .at(1_796_032_800_000L + number)
        .sourceTable("shop.orders")
        .target("dw.orders", "warehouse", null)
        .outcome(Outcome.APPLIED);
  }

  /** One that answers at once, in one way. */
  private record Store(Kind kind) implements TimelineStore {
    @Override
    public Call<Receipt> apply(TimelineChange change, Deadline deadline) {
      int events = ((TimelineChange.Decided) change).events().size();
      DecisionResult taken = new DecisionResult(new SchemaChangeId(change.jobId(), 1, 7), null);
      return switch (kind) {
        case ANSWERS -> Call.of(receipt(events, taken));
        case HANGS -> Call.of(new CompletableFuture<>());
        case FAILS ->
            Call.of(
                CompletableFuture.failedStage(
                    new TimelineUnavailableException(Unavailability.STORE_BUSY)));
        case FULL -> Call.of(receipt(events, DecisionResult.of(Fault.HISTORY_FULL)));
      };
    }

    private static Receipt receipt(int events, DecisionResult each) {
      return new Receipt(0, 0, 0, 0, 0, IntStream.range(0, events).mapToObj(i -> each).toList());
    }

    @Override
    public Call<byte @Nullable []> page(
        long jobId, TimelineQuery query, boolean errorSummaries, int cap, Deadline deadline) {
      throw new AssertionError("a recorder reads nothing");
    }
  }
}
