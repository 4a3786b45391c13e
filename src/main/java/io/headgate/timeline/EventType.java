package io.headgate.timeline;

import org.jspecify.annotations.Nullable;

/**
 * What kind of schema change an event is, by the engine's names. Stored by ordinal, so a new one
 * goes to the end.
 */
public enum EventType {
  SCHEMA_CHANGE_ADD_COLUMN,
  SCHEMA_CHANGE_DROP_COLUMN,
  SCHEMA_CHANGE_MODIFY_COLUMN,
  SCHEMA_CHANGE_CHANGE_COLUMN,
  SCHEMA_CHANGE_UPDATE_COLUMNS,
  SCHEMA_CHANGE_RENAME_TABLE,
  /** A schema change of a kind that this version does not know (T1). */
  UNKNOWN;

  private static final String PREFIX = "SCHEMA_CHANGE_";

  /** The type with the engine's {@code name}, or null if that is no schema change at all. */
  public static @Nullable EventType of(String name) {
    if (!name.startsWith(PREFIX)) {
      return null;
    }
    for (EventType type : values()) {
      if (type.name().equals(name)) {
        return type;
      }
    }
    return UNKNOWN;
  }
}
