package io.headgate.timeline.ingest;

import io.headgate.timeline.DecisionResult;
import io.headgate.timeline.Fault;
import io.headgate.timeline.SchemaChangeId;
import io.headgate.wire.CappedBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is answered to a batch of decision events: for each, by its index, the change it belongs to
 * or its fault (T2). Not thread-safe.
 */
public final class DecisionAnswer {
  /** One result with everything at its longest. */
  private static final int MAX_RESULT_BYTES = 160;

  private final List<@Nullable DecisionResult> results;

  DecisionAnswer(List<@Nullable DecisionResult> results) {
    this.results = new ArrayList<>(results);
  }

  /** Takes the results of one job's events. */
  public void put(DecisionReport.JobEvents job, List<DecisionResult> done) {
    for (int i = 0; i < done.size(); i++) {
      results.set(job.indexes().get(i), done.get(i));
    }
  }

  /** Says that none of one job's events was taken. */
  public void refuse(DecisionReport.JobEvents job, Fault fault) {
    put(job, Collections.nCopies(job.indexes().size(), DecisionResult.of(fault)));
  }

  /** What it says about each entry; null where a job's results have not been put. */
  public List<@Nullable DecisionResult> results() {
    return Collections.unmodifiableList(results);
  }

  /** The answer as JSON; the batch's bound on entries is the bound on its length. */
  public CappedBuffer write() {
    int cap = MAX_RESULT_BYTES * (results.size() + 1);
    CappedBuffer out = new CappedBuffer(cap, cap);
    out.putAscii("{\"results\":[");
    for (int i = 0; i < results.size(); i++) {
      DecisionResult result = results.get(i);
      SchemaChangeId id = result == null ? null : result.id();
      Fault fault = result == null ? null : result.fault();
      out.putAscii(i == 0 ? "{\"index\":" : ",{\"index\":");
      out.putDecimal(i);
      out.putAscii(",\"schemaChangeId\":");
      quoted(id == null ? null : id.toString(), out);
      out.putAscii(",\"fault\":");
      quoted(fault == null ? null : fault.name(), out);
      out.put((byte) '}');
    }
    out.putAscii("]}");
    return out;
  }

  private static void quoted(@Nullable String plain, CappedBuffer out) {
    if (plain == null) {
      out.putAscii("null");
      return;
    }
    out.put((byte) '"');
    out.putAscii(plain);
    out.put((byte) '"');
  }
}
