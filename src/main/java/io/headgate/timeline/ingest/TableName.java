package io.headgate.timeline.ingest;

import io.headgate.timeline.DecisionEvent;
import io.headgate.wire.JsonCursor;
import io.headgate.wire.JsonText;
import org.jspecify.annotations.Nullable;

/**
 * The table of an engine's event, spelled as the engine spells a path: database, schema and table
 * with dots between them, without those that are null or empty. The catalog is left out; it is a
 * name of the configuration and empty in every recording.
 */
final class TableName {
  private static final byte[][] PARTS = Names.of("databaseName", "schemaName", "tableName");

  /** A character has at most six bytes as an escape, and takes at least one in UTF-8. */
  private static final int MAX_RAW_BYTES = 6 * DecisionEvent.MAX_NAME_BYTES;

  private final @Nullable String[] parts = new String[PARTS.length];
  private boolean tooLong;

  /** Reads the value that comes next, an object or something that says no table. */
  void read(JsonCursor cursor) {
    if (cursor.peek() != '{') {
      cursor.skip();
      return;
    }
    cursor.enter();
    for (int member; (member = cursor.nextMember(PARTS)) != JsonCursor.END; ) {
      if (member == JsonCursor.OTHER) {
        cursor.skip();
      } else if (cursor.readString()) {
        tooLong |= cursor.cutString(MAX_RAW_BYTES);
        parts[member] = cursor.string();
      }
    }
  }

  boolean isEmpty() {
    return text() == null;
  }

  /** Whether it has more bytes than a name may have. */
  boolean isTooLong() {
    String text = text();
    return tooLong || text != null && JsonText.utf8Length(text) > DecisionEvent.MAX_NAME_BYTES;
  }

  /** The name, or null if there is none; half a surrogate pair comes out as U+FFFD. */
  @Nullable String text() {
    StringBuilder text = new StringBuilder();
    for (String part : parts) {
      if (part != null && !part.isEmpty()) {
        text.append(text.length() == 0 ? "" : ".").append(part);
      }
    }
    return text.length() == 0 ? null : JsonText.wellFormed(text.toString());
  }
}
