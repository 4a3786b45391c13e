package io.headgate.fn;

import io.headgate.graph.DescriptorFault;
import io.headgate.graph.Excess;

/** What became of a registration. */
public sealed interface Registration {
  /** It is kept; whether it is new. */
  record Kept(String id, boolean isNew) implements Registration {}

  /** Another one has its id. */
  record Conflict() implements Registration {}

  /** It is faulty. */
  record Refused(DescriptorFault reason) implements Registration {}

  /** It is too large. */
  record TooLarge(Excess reason) implements Registration {}

  /** There is no room for another. */
  record Full() implements Registration {}

  /** No worker is free. */
  record Busy() implements Registration {}

  /** The store can't say. */
  record Unavailable() implements Registration {}
}
