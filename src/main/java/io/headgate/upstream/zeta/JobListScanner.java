package io.headgate.upstream.zeta;

import io.headgate.graph.JobSummary;
import io.headgate.wire.CappedBuffer;
import java.util.function.Consumer;

/**
 * Reads a list of job-info objects as it streams in and keeps five members of each. Graphs and
 * metrics, which are nearly all of it, are checked and passed over, so what it holds does not grow
 * with the list. Strict: an unfinished list, or one that is no JSON, is told apart from a whole
 * one. Not thread-safe.
 */
final class JobListScanner {
  private enum State {
    BEGIN,
    OBJECT_OR_END,
    OBJECT,
    IN_OBJECT,
    AFTER_OBJECT,
    DONE,
    BROKEN
  }

  private final long maxBytes;
  private final int maxNameBytes;
  private final boolean active;
  private final Consumer<JobSummary> jobs;
  private final CappedBuffer text;

  private State state = State.BEGIN;
  private long bytesSeen;
  private ListedJob job;
  private ObjectScanner scanner;
  private boolean leftOut;

  /**
   * @param maxBytes the most bytes a list may have; past it it counts as broken
   * @param maxNameBytes the most bytes of a job's name; a longer one is left out
   * @param active whether the list is one of active jobs
   * @param jobs gets each job as soon as its object is complete
   */
  JobListScanner(long maxBytes, int maxNameBytes, boolean active, Consumer<JobSummary> jobs) {
    this.maxBytes = maxBytes;
    this.maxNameBytes = maxNameBytes;
    this.active = active;
    this.jobs = jobs;
    this.text = ListedJob.buffer(maxNameBytes);
    this.job = new ListedJob(text, maxNameBytes);
    this.scanner = new ObjectScanner(job);
  }

  /**
   * Takes the next bytes of the list.
   *
   * @return false once nothing more is worth reading: the text is no list, or too long
   */
  boolean feed(byte[] chunk) {
    bytesSeen += chunk.length;
    if (bytesSeen > maxBytes) {
      state = State.BROKEN;
    }
    for (int i = 0; i < chunk.length && state != State.BROKEN; ) {
      i = state == State.IN_OBJECT ? object(chunk, i) : between(chunk, i);
    }
    return state != State.BROKEN;
  }

  /** Whether what came so far is one complete list. */
  boolean complete() {
    return state == State.DONE;
  }

  /** Whether there were objects that name no job. */
  boolean leftOut() {
    return leftOut;
  }

  /** Takes one byte outside of an object; returns the index of the next byte to look at. */
  private int between(byte[] chunk, int at) {
    byte b = chunk[at];
    if (ObjectScanner.isSpace(b)) {
      return at + 1;
    }
    switch (state) {
      case BEGIN -> state = b == '[' ? State.OBJECT_OR_END : State.BROKEN;
      case OBJECT_OR_END, OBJECT -> {
        if (b == ']' && state == State.OBJECT_OR_END) {
          state = State.DONE;
        } else {
          job = new ListedJob(text, maxNameBytes);
          scanner = new ObjectScanner(job);
          state = State.IN_OBJECT;
          return at;
        }
      }
      case AFTER_OBJECT -> state = b == ',' ? State.OBJECT : b == ']' ? State.DONE : State.BROKEN;
      default -> state = State.BROKEN;
    }
    return at + 1;
  }

  private int object(byte[] chunk, int from) {
    int end = scanner.feed(chunk, from);
    if (scanner.broken()) {
      state = State.BROKEN;
    } else if (scanner.complete()) {
      state = State.AFTER_OBJECT;
      JobSummary summary = job.summary(active);
      if (summary == null) {
        leftOut = true;
      } else {
        jobs.accept(summary);
      }
    }
    return end;
  }
}
