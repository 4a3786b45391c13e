package io.headgate.fn;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The answer to a state request; each gets exactly one. */
public sealed interface StateAnswer {
  /**
   * A page of the value, which ends where an append ended.
   *
   * @param pieces its bytes, one piece after another; not to be written to
   * @param token stands for the next page, or null if this is the last
   */
  record Page(List<byte[]> pieces, byte @Nullable [] token) implements StateAnswer {}

  /** The append is done, as far as this bundle sees. */
  record Appended() implements StateAnswer {}

  /** The clear is done, as far as this bundle sees. */
  record Cleared() implements StateAnswer {}

  /** It is refused. */
  record Refused(StateRefusal reason) implements StateAnswer {}
}
