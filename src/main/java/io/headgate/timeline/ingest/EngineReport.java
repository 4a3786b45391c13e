package io.headgate.timeline.ingest;

import io.headgate.timeline.Observation;
import io.headgate.wire.Utf8;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A batch of events that an engine has posted (T1). Schema events are kept, by job and in their
 * order; all others are counted. Whatever stands in an event never refuses the batch (T1a), because
 * an engine sends a refused batch again and again until its ring has overwritten what follows.
 */
public final class EngineReport {
  /** Schema events of one batch; an engine sends a thousand events of all kinds at most. */
  static final int MAX_SCHEMA_EVENTS = 4_000;

  /** Levels of one event; the recordings have five. */
  static final int MAX_DEPTH = 64;

  private final Map<Long, List<Observation>> jobs = new LinkedHashMap<>();
  private int schemaEvents;
  private int otherEvents;
  private int unreadable;
  private int overBound;

  private EngineReport() {}

  /**
   * Reads a batch.
   *
   * @param body is changed where it is not UTF-8: each such byte becomes a question mark
   * @param cut whether the body went on; then its last event may be half and is left out
   * @return null if it is not a JSON array: 400
   */
  public static @Nullable EngineReport parse(byte[] body, boolean cut) {
    Utf8.mend(body, body.length);
    EngineReport report = new EngineReport();
    EngineEvent event = new EngineEvent(body);
    Elements elements = new Elements(body);
    while (elements.next()) {
      report.take(elements, event);
    }
    boolean taken = cut ? elements.cutArray() || elements.wholeArray() : elements.wholeArray();
    return taken ? report : null;
  }

  private void take(Elements elements, EngineEvent event) {
    if (!elements.isObject()) {
      unreadable++;
      return;
    }
    if (elements.depth() > MAX_DEPTH) {
      overBound++;
      return;
    }
    switch (event.read(elements.from())) {
      case OTHER -> otherEvents++;
      case UNREADABLE -> unreadable++;
      case OVER_BOUND -> overBound++;
      case SCHEMA_CHANGE -> {
        if (schemaEvents == MAX_SCHEMA_EVENTS) {
          overBound++;
        } else {
          schemaEvents++;
          jobs.computeIfAbsent(event.jobId(), job -> new ArrayList<>()).add(event.observation());
        }
      }
    }
  }

  /** The schema events of each job, in the order in which they came. */
  public Map<Long, List<Observation>> jobs() {
    return jobs;
  }

  /** How many schema events are kept. */
  public int schemaEvents() {
    return schemaEvents;
  }

  /** How many events are of another kind: nothing of them is kept. */
  public int otherEvents() {
    return otherEvents;
  }

  /** How many were skipped because they say no kind, or no job. */
  public int unreadable() {
    return unreadable;
  }

  /** How many were skipped because they pass a bound. */
  public int overBound() {
    return overBound;
  }
}
