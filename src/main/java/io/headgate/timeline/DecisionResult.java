package io.headgate.timeline;

import org.jspecify.annotations.Nullable;

/**
 * What became of one decision event (T2): the change it belongs to, or why it was not taken.
 *
 * @param id of the change, if the event was taken or says nothing new
 * @param fault why it was not taken
 */
public record DecisionResult(@Nullable SchemaChangeId id, @Nullable Fault fault) {
  static DecisionResult of(SchemaChangeId id) {
    return new DecisionResult(id, null);
  }

  /** An event that was not taken. */
  public static DecisionResult of(Fault fault) {
    return new DecisionResult(null, fault);
  }
}
