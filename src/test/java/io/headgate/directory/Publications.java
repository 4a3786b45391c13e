package io.headgate.directory;

import io.headgate.graph.GraphCodec;
import io.headgate.graph.JobStatus;
import io.headgate.graph.ReportedGraph;
import java.time.Instant;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import org.jspecify.annotations.Nullable;

/** What services say about job 7, by hand and at random. */
final class Publications {
  static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");
  static final long NOW = NOON.toEpochMilli();
  static final long HISTORY = 1_000;

  static final byte[] GRAPH = encoded(ReportedGraph.chain(3));
  static final byte[] OTHER_GRAPH = encoded(ReportedGraph.chain(4));

  /** A publication and the time of the owner's clock since the one before. */
  record Step(Publication said, long afterMillis) {}

  private Publications() {}

  static byte[] encoded(ReportedGraph report) {
    return GraphCodec.encode(report.checked(), 1 << 20);
  }

  static Publication of(long epoch, JobStatus status, byte @Nullable [] graph) {
    return new Publication(7, epoch, status, NOON, graph);
  }

  /** Few epochs and graphs, so that publications meet again and again. */
  static Arbitrary<Publication> any() {
    return Combinators.combine(
            Arbitraries.longs().between(1, 4),
            Arbitraries.of(JobStatus.class),
            Arbitraries.longs().between(0, 3).map(NOON::plusMillis),
            Arbitraries.of(GRAPH, OTHER_GRAPH).injectNull(0.5))
        .as(
            (epoch, status, createdAt, graph) ->
                new Publication(7, epoch, status, createdAt, graph));
  }

  static Arbitrary<List<Step>> sequences() {
    Arbitrary<Long> pauses = Arbitraries.longs().between(0, HISTORY + 1);
    return Combinators.combine(any(), pauses).as(Step::new).list().ofMinSize(1).ofMaxSize(12);
  }

  static Arbitrary<JobRecord> records() {
    return sequences().map(Publications::after);
  }

  /** The record after all of {@code steps}. */
  static JobRecord after(List<Step> steps) {
    JobRecord record = null;
    long now = NOW;
    for (Step step : steps) {
      now += step.afterMillis();
      record = JobRecord.publish(record, step.said(), now, HISTORY).record();
    }
    return java.util.Objects.requireNonNull(record);
  }

  /** The record after all of {@code said}, at one moment. */
  static JobRecord record(Publication... said) {
    return after(java.util.Arrays.stream(said).map(each -> new Step(each, 0)).toList());
  }
}
