package io.headgate.timeline;

import io.headgate.wire.PackedReader;
import io.headgate.wire.PackedWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * A receipt on its way back from the owner.
 *
 * <pre>{@code
 * receipt: version, recorded, replayed, dropped, evicted, evictedUnresolved, result*
 * result:  0, jobId, sequence, history | fault
 * }</pre>
 */
final class ReceiptBytes {
  private static final int VERSION = 1;
  private static final Fault[] FAULTS = Fault.values();

  private ReceiptBytes() {}

  static byte[] write(Receipt receipt) {
    PackedWriter out = new PackedWriter(64, TimelineBytes.CAP);
    out.octet(VERSION);
    out.number(receipt.recorded());
    out.number(receipt.replayed());
    out.number(receipt.dropped());
    out.number(receipt.evicted());
    out.number(receipt.evictedUnresolved());
    out.number(receipt.results().size());
    for (DecisionResult each : receipt.results()) {
      Codes.constant(each.fault(), out);
      SchemaChangeId id = each.id();
      if (id != null) {
        ChangeBytes.id(id, out);
      }
    }
    return out.toByteArray();
  }

  static Receipt read(byte[] bytes) {
    PackedReader in = new PackedReader(bytes);
    in.octet(); // so far there is nothing that the version would have to tell
    int recorded = (int) in.number();
    int replayed = (int) in.number();
    int dropped = (int) in.number();
    int evicted = (int) in.number();
    int evictedUnresolved = (int) in.number();
    int count = in.count(1);
    List<DecisionResult> results = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      results.add(result(in));
    }
    return new Receipt(recorded, replayed, dropped, evicted, evictedUnresolved, results);
  }

  private static DecisionResult result(PackedReader in) {
    int code = Codes.code(in);
    if (code == 0) {
      return DecisionResult.of(ChangeBytes.id(in));
    }
    return DecisionResult.of(code > FAULTS.length ? Fault.INVALID_EVENT : FAULTS[code - 1]);
  }
}
