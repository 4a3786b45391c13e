package io.headgate.upstream.zeta;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import io.headgate.graph.Excess;
import io.headgate.graph.Execution;
import io.headgate.graph.GraphLimits;
import io.headgate.graph.Inconsistency;
import io.headgate.graph.JobGraphBuilder;
import io.headgate.graph.Lookup;
import io.headgate.graph.Unavailability;
import io.headgate.upstream.zeta.KeptParts.Member;
import io.headgate.wire.CappedBuffer;
import io.headgate.wire.Decimal;
import io.headgate.wire.Utf8;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Turns what was kept of a complete job-info body into the answer of a lookup. Runs on a worker
 * thread; holds no state between bodies.
 *
 * <p>Which body means what: L21, L26 to L28. The first topology fault is noted and reading goes on,
 * so that a graph that is also too large is called too large (L12).
 */
final class JobInfoParser {
  /** Well past the hard ceiling for one name or path; hitting it is 413 whatever the limit is. */
  private static final int MAX_STRING_LENGTH = 1024 * 1024;

  private static final int MAX_MEMBER_NAME_LENGTH = 4 * 1024;

  /** Foreign names are neither interned nor kept in a table that outlives their document. */
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(JobInfoSlicer.MAX_DEPTH)
                  .maxNumberLength(JobInfoSlicer.MAX_NUMBER_LENGTH)
                  .maxStringLength(MAX_STRING_LENGTH)
                  .maxNameLength(MAX_MEMBER_NAME_LENGTH)
                  .build())
          .build();

  private final GraphLimits limits;

  JobInfoParser(GraphLimits limits) {
    this.limits = limits;
  }

  /** What {@code body} says about job {@code jobId}. */
  Lookup parse(JobInfoSlicer body, long jobId) {
    if (body.excess() != null) {
      return new Lookup.TooLarge(body.excess());
    }
    if (!body.complete()) {
      return new Lookup.Unavailable(Unavailability.UPSTREAM_BODY);
    }
    String id = unquoted(body.scalar(Member.JOB_ID));
    boolean ours = id != null && Decimal.isCanonical(id) && Long.parseLong(id) == jobId;
    if (body.scalar(Member.JOB_STATUS) == null && body.graph() == KeptParts.Graph.MISSING) {
      boolean unknown = !body.hasMembersBesidesId() && (id == null || ours);
      return unknown ? new Lookup.NotFound() : new Lookup.Unavailable(Unavailability.UPSTREAM_BODY);
    }
    if (!ours) {
      return new Lookup.Inconsistent(Inconsistency.OTHER_JOB);
    }
    CappedBuffer slice = body.slice();
    if (slice == null || isNullText(slice)) {
      return new Lookup.Inconsistent(
          body.graph() == KeptParts.Graph.OTHER
              ? Inconsistency.UNREADABLE_GRAPH
              : Inconsistency.MISSING_GRAPH);
    }
    JobGraphBuilder builder = new JobGraphBuilder(jobId, limits);
    String created = unquoted(body.scalar(Member.CREATE_TIME));
    if (created == null || created.isEmpty() || created.equals(KeptParts.UNUSABLE)) {
      builder.fault(Inconsistency.NO_EXECUTION);
      created = "";
    }
    readGraph(slice, jobId, builder);
    JobGraphBuilder.Built built = builder.build();
    if (built instanceof JobGraphBuilder.Built.Checked checked) {
      boolean retained = body.scalar(Member.FINISH_TIME) != null;
      return new Lookup.Found(checked.graph(), Execution.ofLocalTime(created), retained);
    }
    return built instanceof JobGraphBuilder.Built.TooLarge tooLarge
        ? new Lookup.TooLarge(tooLarge.reason())
        : new Lookup.Inconsistent(((JobGraphBuilder.Built.Inconsistent) built).reason());
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

  private static void readGraph(CappedBuffer slice, long jobId, JobGraphBuilder builder) {
    if (Utf8.mend(slice.array(), slice.length())) {
      builder.fault(Inconsistency.ILL_FORMED_TEXT);
    }
    InputStream bytes = new ByteArrayInputStream(slice.array(), 0, slice.length());
    // A reader of our own, because the parser would guess at UTF-16 and UTF-32 too.
    Reader text = new InputStreamReader(bytes, StandardCharsets.UTF_8);
    try (JsonParser json = JSON.createParser(text)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        builder.refuse(Inconsistency.UNREADABLE_GRAPH);
        return;
      }
      new JobDagReader(json, jobId, builder).read();
      if (json.nextToken() != null) {
        builder.refuse(Inconsistency.UNREADABLE_GRAPH);
      }
    } catch (StreamConstraintsException e) {
      builder.exceed(Excess.PARSER_BOUND);
    } catch (IOException e) {
      builder.refuse(Inconsistency.UNREADABLE_GRAPH);
    }
  }
}
