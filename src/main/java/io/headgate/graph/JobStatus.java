package io.headgate.graph;

import org.jspecify.annotations.Nullable;

/**
 * The state of a job, as the engine calls it: the names of its versions 2.3.4 to 2.3.9. The order
 * is part of what is stored in clusters, so a new state goes to the end.
 */
public enum JobStatus {
  INITIALIZING(false),
  CREATED(false),
  PENDING(false),
  SCHEDULED(false),
  RUNNING(false),
  FAILING(false),
  FAILED(true),
  DOING_SAVEPOINT(false),
  SAVEPOINT_DONE(true),
  CANCELING(false),
  CANCELED(true),
  FINISHED(true),
  /** The engine lost track of the job; it counts this as an end, and so do we. */
  UNKNOWABLE(true);

  private final boolean end;

  JobStatus(boolean end) {
    this.end = end;
  }

  /** Whether an execution in this state is over. */
  public boolean isEnd() {
    return end;
  }

  /** The state of exactly this name, or null if there is none. */
  public static @Nullable JobStatus of(String name) {
    for (JobStatus status : values()) {
      if (status.name().equals(name)) {
        return status;
      }
    }
    return null;
  }
}
