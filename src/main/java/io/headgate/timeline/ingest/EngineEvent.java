package io.headgate.timeline.ingest;

import io.headgate.timeline.EventDigest;
import io.headgate.timeline.EventType;
import io.headgate.timeline.Observation;
import io.headgate.wire.JsonCursor;
import io.headgate.wire.JsonDigest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads one event of an engine's batch, first for its kind alone: a delayed-message event carries a
 * whole row, and nothing of it is looked at (T1, T11). Reused from event to event; confined to one
 * call.
 */
final class EngineEvent {
  /** What an event turned out to be. */
  enum Kind {
    SCHEMA_CHANGE,
    OTHER,
    UNREADABLE,
    OVER_BOUND
  }

  private static final byte[][] TYPE = Names.of("eventType");
  private static final byte[][] MEMBERS =
      Names.of("jobId", "createdTime", "tableIdentifier", "tablePath", "events");

  /** Past the longest name of a type that is known. */
  private static final int MAX_TYPE_BYTES = 64;

  private final byte[] body;
  private final JsonDigest digests;

  private long jobId;
  private @Nullable Observation observation;

  EngineEvent(byte[] body) {
    this.body = body;
    this.digests = new JsonDigest(body);
  }

  /** Reads the object at {@code at}, which is well-formed. */
  Kind read(int at) {
    String name = typeName(new JsonCursor(body, at));
    if (name == null) {
      return Kind.UNREADABLE;
    }
    EventType type = EventType.of(name);
    return type == null ? Kind.OTHER : readChange(at, type);
  }

  /** The job of the schema change read last. */
  long jobId() {
    return jobId;
  }

  /** The schema change read last. */
  Observation observation() {
    if (observation == null) {
      throw new IllegalStateException("no schema change was read");
    }
    return observation;
  }

  private static @Nullable String typeName(JsonCursor cursor) {
    String name = null;
    cursor.enter();
    for (int member; (member = cursor.nextMember(TYPE)) != JsonCursor.END; ) {
      if (member == 0 && cursor.readString()) {
        cursor.cutString(MAX_TYPE_BYTES);
        name = cursor.string();
      } else if (member != 0) {
        cursor.skip();
      }
    }
    return name;
  }

  private Kind readChange(int at, EventType type) {
    jobId = 0;
    long createdAt = -1;
    TableName identifier = new TableName();
    TableName path = new TableName();
    List<EventType> nested = new ArrayList<>();
    JsonCursor cursor = new JsonCursor(body, at);
    cursor.enter();
    for (int member; (member = cursor.nextMember(MEMBERS)) != JsonCursor.END; ) {
      switch (member) {
        case 0 -> jobId = cursor.readInteger() ? cursor.integer() : 0;
        case 1 -> createdAt = cursor.readInteger() ? cursor.integer() : -1;
        case 2 -> identifier.read(cursor);
        case 3 -> path.read(cursor);
        case 4 -> nested(cursor, nested);
        default -> cursor.skip();
      }
    }
    if (jobId < 1) {
      return Kind.UNREADABLE;
    }
    TableName table = identifier.isEmpty() ? path : identifier;
    if (table.isTooLong()) {
      return Kind.OVER_BOUND;
    }
    byte[] digest = digests.of(at);
    if (digest == null) {
      return Kind.OVER_BOUND;
    }
    boolean cut = nested.size() > Observation.MAX_NESTED;
    observation =
        new Observation(
            EventDigest.of(digest),
            createdAt,
            table.text(),
            type,
            cut ? nested.subList(0, Observation.MAX_NESTED) : nested,
            cut);
    return Kind.SCHEMA_CHANGE;
  }

  /**
   * The kinds of nested events, one more than are listed at most. Their other members don't count.
   */
  private static void nested(JsonCursor cursor, List<EventType> into) {
    if (cursor.peek() != '[') {
      cursor.skip();
      return;
    }
    cursor.enter();
    while (cursor.nextElement()) {
      if (cursor.peek() != '{' || into.size() > Observation.MAX_NESTED) {
        cursor.skip();
        continue;
      }
      String name = typeName(cursor);
      EventType type = name == null ? null : EventType.of(name);
      into.add(type == null ? EventType.UNKNOWN : type);
    }
  }
}
