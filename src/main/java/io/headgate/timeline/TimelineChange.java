package io.headgate.timeline;

import java.util.List;

/**
 * What may happen to the timeline of one job: the argument of {@link Timeline#apply}. It travels to
 * the owner of the timeline and to its backup as {@link #toBytes}.
 */
public sealed interface TimelineChange {
  /** The job that it is about. */
  long jobId();

  /**
   * An engine has reported schema events of the job, in this order (T1).
   *
   * @param freshHistory a random number: the id of the history if the job has none yet (T6)
   */
  record Observed(long jobId, List<Observation> observations, long freshHistory)
      implements TimelineChange {
    public Observed {
      observations = List.copyOf(observations);
    }
  }

  /**
   * Reporters have told of decisions on changes of the job (T2, T3).
   *
   * @param freshHistory as for {@link Observed}
   */
  record Decided(long jobId, List<DecisionEvent> events, long freshHistory)
      implements TimelineChange {
    public Decided {
      events = List.copyOf(events);
    }
  }

  /** The job has ended, as the directory or a source says (T12). */
  record Ended(long jobId) implements TimelineChange {}

  /** The job runs (again). */
  record Resumed(long jobId) implements TimelineChange {}

  /** Its stored form. */
  default byte[] toBytes() {
    return ChangeBytes.write(this);
  }

  /**
   * Reads what {@link #toBytes} has written.
   *
   * @throws io.headgate.wire.UnreadableBytesException if the bytes are something else
   */
  static TimelineChange fromBytes(byte[] bytes) {
    return ChangeBytes.read(bytes);
  }
}
