package io.headgate.directory;

import io.headgate.graph.GraphLimits;
import io.headgate.graph.Lookup;
import io.headgate.wire.PackedReader;
import io.headgate.wire.PackedWriter;

/**
 * What is kept of an execution that has ended. Its state and its graph expire each by itself, as
 * the engine's two records of a finished job do. Immutable; times are milliseconds since 1970.
 *
 * @param run the execution
 * @param endedAt when its end was first published, or 0 if that was not stored
 * @param stateExpiresAt when the state is no longer known, and with it the job
 * @param graphExpiresAt when the graph is no longer known; 0 where there is none
 */
public record EndedRun(Run run, long endedAt, long stateExpiresAt, long graphExpiresAt) {
  static EndedRun of(Run run, long nowMillis, long historyMillis) {
    long expiresAt = nowMillis + historyMillis;
    return new EndedRun(run, nowMillis, expiresAt, run.graph() == null ? 0 : expiresAt);
  }

  /**
   * The same after another publication about it: a changed state renews the state, a changed graph
   * the graph, and what has expired counts as gone.
   */
  EndedRun amended(Run said, long nowMillis, long historyMillis) {
    boolean newState = said.status() != run.status() || nowMillis >= stateExpiresAt;
    boolean newGraph =
        said.graph() != null && (!run.hasGraph(said.graph()) || nowMillis >= graphExpiresAt);
    if (!newState && !newGraph) {
      return this;
    }
    long expiresAt = nowMillis + historyMillis;
    return new EndedRun(
        run.with(said.status(), said.graph()),
        endedAt,
        newState ? expiresAt : stateExpiresAt,
        newGraph ? expiresAt : graphExpiresAt);
  }

  /** When nothing of it is known any more. */
  long expiresAt() {
    return Math.max(stateExpiresAt, graphExpiresAt);
  }

  Lookup lookup(long nowMillis, GraphLimits limits) {
    if (nowMillis >= stateExpiresAt) {
      return new Lookup.NotFound();
    }
    boolean graphKnown = nowMillis < graphExpiresAt;
    return (graphKnown ? run : run.withoutGraph()).lookup(limits, true);
  }

  /** The same execution as two halves of a cluster know it: what was renewed later wins. */
  static EndedRun merge(EndedRun a, EndedRun b) {
    EndedRun state = a.compareStates(b) >= 0 ? a : b;
    EndedRun graph = a.compareGraphs(b) >= 0 ? a : b;
    Run run =
        new Run(
            a.run.epoch(),
            state.run.status(),
            Math.min(a.run.createdAt(), b.run.createdAt()),
            graph.run.graph());
    return new EndedRun(
        run, Math.max(a.endedAt, b.endedAt), state.stateExpiresAt, graph.graphExpiresAt);
  }

  private int compareStates(EndedRun other) {
    int byTime = Long.compare(stateExpiresAt, other.stateExpiresAt);
    return byTime != 0 ? byTime : run.status().compareTo(other.run.status());
  }

  private int compareGraphs(EndedRun other) {
    int byTime = Long.compare(graphExpiresAt, other.graphExpiresAt);
    return byTime != 0 ? byTime : Run.compareGraphs(run.graph(), other.run.graph());
  }

  byte[] toBytes() {
    PackedWriter out = new PackedWriter(56 + Run.graphBytes(run.graph()), Integer.MAX_VALUE);
    out.bytes(run.toBytes());
    out.signed(stateExpiresAt);
    out.signed(graphExpiresAt);
    out.signed(endedAt);
    return out.toByteArray();
  }

  static EndedRun read(PackedReader in) {
    return read(Run.read(in.part()), in);
  }

  /** Reads everything but the graph. */
  static EndedRun readWithoutGraph(PackedReader in) {
    return read(Run.readWithoutGraph(in.part()), in);
  }

  private static EndedRun read(Run run, PackedReader in) {
    long stateExpiresAt = in.signed();
    long graphExpiresAt = in.signed();
    long endedAt = in.hasMore() ? in.signed() : 0;
    return new EndedRun(run, endedAt, stateExpiresAt, graphExpiresAt);
  }
}
