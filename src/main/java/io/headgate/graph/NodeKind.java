package io.headgate.graph;

import org.jspecify.annotations.Nullable;

/** What a stage does in its job. The names are those of the response (L2). */
public enum NodeKind {
  SOURCE,
  TRANSFORM,
  SINK;

  /**
   * The kind an engine spelled as {@code reported}: all upper or all lower case, as the recorded
   * versions do. Anything else is null, because a guess would relabel an unknown stage.
   */
  public static @Nullable NodeKind of(@Nullable String reported) {
    if (reported == null) {
      return null;
    }
    return switch (reported) {
      case "source", "SOURCE" -> SOURCE;
      case "transform", "TRANSFORM" -> TRANSFORM;
      case "sink", "SINK" -> SINK;
      default -> null;
    };
  }
}
