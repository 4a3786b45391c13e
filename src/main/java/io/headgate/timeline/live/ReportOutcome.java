package io.headgate.timeline.live;

import io.headgate.timeline.ingest.DecisionReport;
import io.headgate.wire.CappedBuffer;
import org.jspecify.annotations.Nullable;

/** What became of a report that the store did not fail. */
public sealed interface ReportOutcome {
  /**
   * All that may be kept of it is stored.
   *
   * @param answer what is told about each entry, or null where nothing is
   */
  record Stored(@Nullable CappedBuffer answer) implements ReportOutcome {}

  /** Nothing of it was looked at. */
  record Refused(DecisionReport.Refusal reason) implements ReportOutcome {}
}
