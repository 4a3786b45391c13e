package io.headgate.timeline;

import io.headgate.wire.PackedReader;
import io.headgate.wire.PackedWriter;
import org.jspecify.annotations.Nullable;

/**
 * How small things that may be missing are stored: as 0, or as themselves and one more. A constant
 * that a newer version has added reads as the one that stands for unknown.
 */
final class Codes {
  private static final Stage[] STAGES = Stage.values();
  private static final Outcome[] OUTCOMES = Outcome.values();
  private static final ReasonCode[] REASONS = ReasonCode.values();
  private static final Capability[] CAPABILITIES = Capability.values();
  private static final EventType[] TYPES = EventType.values();

  private Codes() {}

  static void constant(@Nullable Enum<?> constant, PackedWriter out) {
    out.number(constant == null ? 0 : constant.ordinal() + 1);
  }

  /** A stage, or null for one of a newer version. */
  static @Nullable Stage stage(PackedReader in) {
    int code = code(in);
    return code < 1 || code > STAGES.length ? null : STAGES[code - 1];
  }

  static @Nullable Outcome outcome(PackedReader in) {
    return known(code(in), OUTCOMES, Outcome.UNKNOWN);
  }

  static @Nullable ReasonCode reason(PackedReader in) {
    return known(code(in), REASONS, ReasonCode.UNKNOWN);
  }

  static @Nullable Capability capability(PackedReader in) {
    return known(code(in), CAPABILITIES, Capability.UNKNOWN);
  }

  static @Nullable EventType type(PackedReader in) {
    return known(code(in), TYPES, EventType.UNKNOWN);
  }

  /** The number of a constant; past all that we could know it does not matter which. */
  static int code(PackedReader in) {
    long code = in.number();
    return code < 0 || code > 1_000 ? 1_000 : (int) code;
  }

  private static <E> @Nullable E known(int code, E[] all, E other) {
    if (code == 0) {
      return null;
    }
    return code > all.length ? other : all[code - 1];
  }

  static void time(long millis, PackedWriter out) {
    out.number(Times.isUsable(millis) ? millis + 1 : 0);
  }

  static long time(PackedReader in) {
    long code = in.number();
    return Times.isUsable(code - 1) ? code - 1 : Times.NONE;
  }

  static void text(@Nullable String text, PackedWriter out) {
    out.octet(text == null ? 0 : 1);
    if (text != null) {
      out.text(text);
    }
  }

  static @Nullable String text(PackedReader in) {
    return in.octet() == 0 ? null : in.text();
  }

  static void flag(boolean flag, PackedWriter out) {
    out.octet(flag ? 1 : 0);
  }

  static boolean flag(PackedReader in) {
    return in.octet() != 0;
  }

  static void digest(EventDigest digest, PackedWriter out) {
    out.signed(digest.high());
    out.signed(digest.low());
  }

  static EventDigest digest(PackedReader in) {
    long high = in.signed();
    return new EventDigest(high, in.signed());
  }
}
