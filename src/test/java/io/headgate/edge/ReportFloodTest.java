package io.headgate.edge;

import static io.headgate.kit.ReportingGateway.ENGINES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.graph.Call;
import io.headgate.graph.Execution;
import io.headgate.graph.Lookup;
import io.headgate.graph.ReportedGraph;
import io.headgate.kit.RawClient;
import io.headgate.kit.ReportingGateway;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** T4 and T15: many more reports than the store takes, and what lookups notice of them. */
class ReportFloodTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** What one change takes; whoever waited for a report would wait at least so long. */
  private static final Duration CHANGE = Duration.ofMillis(200);

  private static final int LOOKUPS = 200;
  private static final int FLOODERS = 4;
  private static final long POST_EVERY_MILLIS = 10;
  private static final Execution RUN = Execution.ofLocalTime("2026-11-30 12:00:00");

  private final AtomicLong lastJob = new AtomicLong();
  private final AtomicLong lastEvent = new AtomicLong();
  private final AtomicLong stored = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();

  @Test
  void T4_a_flood_of_reports_leaves_the_latency_and_the_admission_of_lookups_untouched() {
    try (ReportingGateway gateway =
        new ReportingGateway(
            (jobId, deadline) ->
                Call.of(
                    new Lookup.Found(
                        new ReportedGraph(
                                jobId,
                                ReportedGraph.chain(20).nodes(),
                                ReportedGraph.chain(20).edges())
                            .checked(),
                        RUN,
                        false)),
            "timeline.permits",
            "1")) {
      gateway.store().slow(CHANGE);
      long quiet = medianOfLookups(gateway);
      long control;
      try (Flood ignored = new Flood(gateway.port(), "/no/such/route")) {
        control = medianOfLookups(gateway);
      }
      refused.set(0);
      long flooded;
      double times;
      try (Flood ignored = new Flood(gateway.port(), ENGINES)) {
        await().atMost(PATIENCE).until(() -> stored.get() > 0 && refused.get() > 0);
        long storedBefore = stored.get();
        long refusedBefore = refused.get();
        flooded = medianOfLookups(gateway);
        await().atMost(PATIENCE).until(() -> stored.get() > storedBefore);
        times = 1 + (refused.get() - refusedBefore) / (double) (stored.get() - storedBefore);
      }
      String figures =
          ("median of %d lookups: %d µs; %d µs among as many posts to nowhere; %d µs in a flood of"
                  + " %.0f times the reports that are stored")
              .formatted(LOOKUPS, quiet / 1_000, control / 1_000, flooded / 1_000, times);
      System.out.println(figures);
      assertThat(times).as(figures).isGreaterThanOrEqualTo(10);
      assertThat(flooded).as(figures).isLessThan(CHANGE.toNanos());
      assertThat(gateway.metric("headgate_permits_refused_total{pool=\"lineage\"}")).isZero();
      assertThat(gateway.metric("headgate_flights_overdue_total")).isZero();
      assertThat(gateway.metric("headgate_permits_refused_total{pool=\"reports\"}")).isPositive();
    }
  }

  /** Looks up jobs that nobody has asked for, one after the other; all are answered. */
  private long medianOfLookups(ReportingGateway gateway) {
    long[] nanos = new long[LOOKUPS];
    for (int i = 0; i < LOOKUPS; i++) {
      long from = System.nanoTime();
      int status = gateway.get("/job-lineage/" + lastJob.incrementAndGet()).statusCode();
      nanos[i] = System.nanoTime() - from;
      assertThat(status).isEqualTo(200);
    }
    Arrays.sort(nanos);
    return nanos[LOOKUPS / 2];
  }

  /** Posts at a fixed rate, whatever becomes of it, until it is closed. */
  private final class Flood implements AutoCloseable {
    private final ScheduledThreadPoolExecutor clock = new ScheduledThreadPoolExecutor(FLOODERS);

    Flood(int port, String target) {
      for (int i = 0; i < FLOODERS; i++) {
        clock.scheduleAtFixedRate(
            () -> post(port, target), 0, POST_EVERY_MILLIS, TimeUnit.MILLISECONDS);
      }
    }

    @Override
    public void close() {
      clock.shutdown();
      await().atMost(PATIENCE).until(clock::isTerminated);
    }
  }

  private void post(int port, String target) {
    String body =
        "[{\"jobId\":\"7\",\"createdTime\":%d,\"eventType\":\"SCHEMA_CHANGE_ADD_COLUMN\"}]"
            .formatted(lastEvent.incrementAndGet());
    try (RawClient client = new RawClient(port)) {
      int status =
          client
              .send(
                  ("POST " + target + " HTTP/1.1\r\nHost: localhost\r\n")
                      + "Content-Type: application/json\r\n"
                      + "Content-Length: "
                      + body.length()
                      + "\r\n\r\n"
                      + body)
              .response(PATIENCE)
              .status();
      (status == 200 ? stored : refused).incrementAndGet();
    } catch (UncheckedIOException | AssertionError e) {
      refused.incrementAndGet(); // closed in front of its answer
    }
  }
}
