package io.headgate.upstream.zeta;

import io.headgate.graph.Execution;
import io.headgate.graph.GraphLimits;
import io.headgate.graph.Inconsistency;
import io.headgate.graph.JobGraphBuilder;
import io.headgate.graph.Lookup;
import io.headgate.graph.Unavailability;
import io.headgate.upstream.zeta.KeptParts.Graph;
import io.headgate.upstream.zeta.KeptParts.Member;
import io.headgate.wire.CappedBuffer;
import io.headgate.wire.Decimal;
import io.headgate.wire.JsonCursor;
import io.headgate.wire.Utf8;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Turns what was kept of a complete job-info body into the answer of a lookup. Runs on a worker
 * thread; holds no state between bodies.
 *
 * <p>Which body means what: L21, L26 to L28. The first topology fault is noted and reading goes on,
 * so that a graph that is also too large is called too large (L12).
 */
final class JobInfoParser {
  private final GraphLimits limits;

  JobInfoParser(GraphLimits limits) {
    this.limits = limits;
  }

  /** What {@code body} says about job {@code jobId}. A finish time makes it a retained record. */
  Lookup parse(JobInfoSlicer body, long jobId) {
    // A body abandoned before its finish time counts as an active record: it may be one.
    boolean retained = body.scalar(Member.FINISH_TIME) != null;
    if (body.excess() != null) {
      return new Lookup.TooLarge(body.excess(), retained);
    }
    if (!body.complete()) {
      return new Lookup.Unavailable(Unavailability.UPSTREAM_BODY);
    }
    String id = unquoted(body.scalar(Member.JOB_ID));
    boolean ours = id != null && Decimal.isCanonical(id) && Long.parseLong(id) == jobId;
    if (body.scalar(Member.JOB_STATUS) == null && body.graph() == Graph.MISSING) {
      boolean unknown = !body.hasMembersBesidesId() && (id == null || ours);
      return unknown ? new Lookup.NotFound() : new Lookup.Unavailable(Unavailability.UPSTREAM_BODY);
    }
    if (!ours) {
      return new Lookup.Inconsistent(Inconsistency.OTHER_JOB, retained);
    }
    CappedBuffer slice = body.slice();
    if (slice == null || isNullText(slice)) {
      return new Lookup.Inconsistent(
          body.graph() == Graph.OTHER
              ? Inconsistency.UNREADABLE_GRAPH
              : Inconsistency.MISSING_GRAPH,
          retained);
    }
    JobGraphBuilder builder = new JobGraphBuilder(jobId, limits);
    String created = unquoted(body.scalar(Member.CREATE_TIME));
    if (created == null || created.isEmpty() || created.equals(KeptParts.UNUSABLE)) {
      builder.fault(Inconsistency.NO_EXECUTION);
      created = "";
    }
    readGraph(body, jobId, builder);
    JobGraphBuilder.Built built = builder.build();
    if (built instanceof JobGraphBuilder.Built.Checked checked) {
      return new Lookup.Found(checked.graph(), Execution.ofLocalTime(created), retained);
    }
    return built instanceof JobGraphBuilder.Built.TooLarge tooLarge
        ? new Lookup.TooLarge(tooLarge.reason(), retained)
        : new Lookup.Inconsistent(((JobGraphBuilder.Built.Inconsistent) built).reason(), retained);
  }

  /** Engines up to 2.3.8 write a missing graph as the string {@code "null"}. */
  private static boolean isNullText(CappedBuffer slice) {
    byte[] b = slice.array();
    return slice.length() == 4 && b[0] == 'n' && b[1] == 'u' && b[2] == 'l' && b[3] == 'l';
  }

  private static @Nullable String unquoted(@Nullable String scalar) {
    if (scalar == null || scalar.length() < 2 || scalar.charAt(0) != '"') {
      return scalar;
    }
    // A value with escapes keeps them: it is only compared, and no recorded one has any.
    return scalar.substring(1, scalar.length() - 1);
  }

  private static void readGraph(JobInfoSlicer body, long jobId, JobGraphBuilder builder) {
    CappedBuffer slice = Objects.requireNonNull(body.slice());
    if (Utf8.mend(slice.array(), slice.length())) {
      builder.fault(Inconsistency.ILL_FORMED_TEXT);
    }
    byte[] text = slice.array();
    if (body.graph() == Graph.STRING) {
      // What was outside the string has been scanned; what was in it has only been unwrapped.
      text = slice.toByteArray();
      JobInfoSlicer inner = JobInfoSlicer.keepingNothing();
      inner.feed(text);
      if (inner.excess() != null) {
        builder.exceed(inner.excess());
        return;
      }
      if (!inner.complete()) {
        builder.refuse(Inconsistency.UNREADABLE_GRAPH);
        return;
      }
    }
    new JobDagReader(new JsonCursor(text), jobId, builder).read();
  }
}
