package io.headgate.state;

import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.core.IndeterminateOperationStateException;
import com.hazelcast.core.LocalMemberResetException;
import com.hazelcast.core.OperationTimeoutException;
import com.hazelcast.spi.exception.RetryableException;
import com.hazelcast.spi.exception.TargetDisconnectedException;
import com.hazelcast.splitbrainprotection.SplitBrainProtectionException;
import io.headgate.graph.Unavailability;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** A call to the cluster that came to nothing, with its reason from the closed set. */
final class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Unavailability reason;

  StoreException(Unavailability reason) {
    super(reason.label(), null, false, false);
    this.reason = reason;
  }

  Unavailability reason() {
    return reason;
  }

  /** The reason of a failed stage. */
  static Unavailability reason(Throwable failure) {
    Throwable cause = cause(failure);
    if (cause instanceof StoreException known) {
      return known.reason;
    }
    if (cause instanceof SplitBrainProtectionException) {
      return Unavailability.CLUSTER_TOO_SMALL;
    }
    return cause instanceof HazelcastInstanceNotActiveException
        ? Unavailability.CLUSTER_JOINING
        : Unavailability.STORE_FAILED;
  }

  /**
   * Whether the same call may succeed if it is made again: a member left or an entry moved while it
   * was under way, and whether it took effect is not known.
   */
  static boolean isPassing(Throwable failure) {
    Throwable cause = cause(failure);
    return cause instanceof RetryableException
        || cause instanceof IndeterminateOperationStateException
        || cause instanceof OperationTimeoutException
        || cause instanceof TargetDisconnectedException
        || cause instanceof LocalMemberResetException;
  }

  /**
   * What a stage failed with, without the wrapping. Some of Hazelcast's own failures are execution
   * exceptions as well.
   */
  static Throwable cause(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null
        && (cause instanceof CompletionException
            || cause.getClass().equals(ExecutionException.class))) {
      cause = cause.getCause();
    }
    return cause;
  }
}
