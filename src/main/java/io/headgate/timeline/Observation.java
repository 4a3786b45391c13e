package io.headgate.timeline;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A schema change as an engine's event reports it, without all that may not be kept (T11).
 *
 * @param digest of the whole serialized event
 * @param createdAt the event's own time, or a negative number if it has none
 * @param table its table, of at most {@link DecisionEvent#MAX_NAME_BYTES}, or null
 * @param type what kind of change it is
 * @param nested the kinds of the events inside it, at most {@link #MAX_NESTED}
 * @param nestedCut whether there were more
 */
public record Observation(
    EventDigest digest,
    long createdAt,
    @Nullable String table,
    EventType type,
    List<EventType> nested,
    boolean nestedCut) {
  /** How many nested events are listed (T1). */
  public static final int MAX_NESTED = 100;

  public Observation {
    nested = List.copyOf(nested);
  }
}
