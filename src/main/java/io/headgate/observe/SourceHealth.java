package io.headgate.observe;

import java.util.List;

/** A source that can say how its members are. Safe on any thread. */
public interface SourceHealth {
  /** How a member is, as far as the gateway knows. */
  enum Status {
    /** Lookups go to it. */
    USABLE,
    /** Its breaker is open: lookups pass it by. */
    SPARED
  }

  /** The members in configured order; their addresses are nobody's business. */
  List<Status> members();
}
