package io.headgate.timeline.ingest;

import io.headgate.timeline.DecisionEvent;
import io.headgate.timeline.DecisionResult;
import io.headgate.wire.Utf8;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A batch of decision events (T2). Each entry is an event or has a fault of its own; the batch as a
 * whole is refused only if it is not JSON or passes a bound (T4).
 */
public final class DecisionReport {
  /** Entries of one batch. */
  static final int MAX_EVENTS = 1_000;

  /** Levels of one entry; the documented shape has two. */
  static final int MAX_DEPTH = 64;

  /** Bytes of one string in the text: as in bodies from the engine. */
  static final int MAX_STRING_BYTES = 1024 * 1024;

  /** Why a batch is refused as a whole. */
  public enum Refusal {
    /** It is not an array in JSON and UTF-8: 400. */
    MALFORMED,
    /** It has too many entries, too deep ones or too long a string: 413. */
    OVER_BOUND
  }

  /** The events of one job and where they stand in the batch. */
  public record JobEvents(List<Integer> indexes, List<DecisionEvent> events) {}

  private final Map<Long, JobEvents> jobs = new LinkedHashMap<>();
  private final List<@Nullable DecisionResult> results = new ArrayList<>();
  private @Nullable Refusal refusal;
  private int unknownReasons;

  private DecisionReport() {}

  /**
   * Reads a batch.
   *
   * @param body may be changed
   */
  public static DecisionReport parse(byte[] body) {
    DecisionReport report = new DecisionReport();
    if (Utf8.mend(body, body.length)) {
      return report.refused(Refusal.MALFORMED);
    }
    Elements elements = new Elements(body);
    boolean overBound = false;
    while (elements.next()) {
      overBound |=
          report.results.size() == MAX_EVENTS
              || elements.depth() > MAX_DEPTH
              || elements.longestString() > MAX_STRING_BYTES;
      if (!overBound) {
        report.take(new DecisionEntry(body, elements.from()));
      }
    }
    if (!elements.wholeArray()) {
      return report.refused(Refusal.MALFORMED);
    }
    return overBound ? report.refused(Refusal.OVER_BOUND) : report;
  }

  private DecisionReport refused(Refusal reason) {
    refusal = reason;
    jobs.clear();
    results.clear();
    return this;
  }

  private void take(DecisionEntry entry) {
    DecisionEvent event = entry.read();
    unknownReasons += entry.hasUnknownReason() ? 1 : 0;
    if (event == null) {
      results.add(DecisionResult.of(entry.fault()));
      return;
    }
    JobEvents job =
        jobs.computeIfAbsent(
            event.jobId(), id -> new JobEvents(new ArrayList<>(), new ArrayList<>()));
    job.indexes.add(results.size());
    job.events.add(event);
    results.add(null);
  }

  /** Why the whole batch is refused, or null. */
  public @Nullable Refusal refusal() {
    return refusal;
  }

  /** The events that can be applied, by job. */
  public Map<Long, JobEvents> jobs() {
    return jobs;
  }

  /** How many reason codes were kept as unknown (T9). */
  public int unknownReasons() {
    return unknownReasons;
  }

  /** An answer that has the faults found so far and waits for the results of the others. */
  public DecisionAnswer answer() {
    return new DecisionAnswer(results);
  }
}
