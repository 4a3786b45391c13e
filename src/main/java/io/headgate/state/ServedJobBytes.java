package io.headgate.state;

import io.headgate.graph.Execution;
import io.headgate.wire.PackedReader;
import io.headgate.wire.PackedWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The stored form of a {@link ServedJob}, which members of different versions read.
 *
 * <pre>{@code
 * job:       version, part(slot with an epoch), part(slot without), held?, held since, untold?
 * slot:      part(execution), replaced, part(execution)*, bytes(digest), ids, (id - id before)*
 * execution: created, epoch, began
 * }</pre>
 *
 * <p>A part has its length before it and may be empty. New fields only ever go to the end of a part
 * or of the whole: who does not know them passes over them, who misses them takes their default.
 * The last one is left out where it has its default, as nearly always.
 */
final class ServedJobBytes {
  private static final int VERSION = 1;

  /** The largest graph's ids take less; whatever is longer was not written here. */
  private static final int CAP = 64 * 1024 * 1024;

  private static final byte[] NOTHING = {};

  private ServedJobBytes() {}

  static byte[] write(
      @Nullable ServedSlot epochs,
      @Nullable ServedSlot texts,
      @Nullable Long olderSince,
      boolean untold) {
    PackedWriter out = new PackedWriter(128, CAP);
    out.octet(VERSION);
    out.bytes(epochs == null ? NOTHING : slot(epochs));
    out.bytes(texts == null ? NOTHING : slot(texts));
    out.octet(olderSince == null ? 0 : 1);
    if (olderSince != null) {
      out.signed(olderSince);
    }
    if (untold) {
      out.octet(1);
    }
    return out.toByteArray();
  }

  private static byte[] slot(ServedSlot slot) {
    PackedWriter out = new PackedWriter(64 + 2 * slot.ids().length, CAP);
    out.bytes(execution(slot.execution()));
    out.number(slot.replaced().size());
    for (Execution each : slot.replaced()) {
      out.bytes(execution(each));
    }
    byte[] digest = slot.digest();
    out.bytes(digest == null ? NOTHING : digest);
    putIds(slot.ids(), out);
    return out.toByteArray();
  }

  static void putIds(long[] ids, PackedWriter out) {
    out.number(ids.length);
    long last = 0;
    for (long id : ids) {
      out.signed(id - last);
      last = id;
    }
  }

  static byte[] execution(Execution execution) {
    PackedWriter out = new PackedWriter(32, CAP);
    out.text(execution.created());
    out.number(execution.epoch());
    out.signed(execution.millis());
    return out.toByteArray();
  }

  static ServedJob read(byte[] bytes) {
    PackedReader in = new PackedReader(bytes);
    in.octet(); // so far there is nothing that the version would have to tell
    ServedSlot epochs = slot(in.part());
    ServedSlot texts = slot(in.part());
    boolean held = in.hasMore() && in.octet() == 1;
    Long olderSince = held ? in.signed() : null;
    return ServedJob.of(epochs, texts, olderSince, in.hasMore() && in.octet() == 1);
  }

  private static @Nullable ServedSlot slot(PackedReader in) {
    if (!in.hasMore()) {
      return null;
    }
    Execution execution = execution(in.part());
    int count = in.count(1);
    List<Execution> replaced = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      replaced.add(execution(in.part()));
    }
    byte[] digest = in.bytes();
    return new ServedSlot(
        execution, List.copyOf(replaced), digest.length == 0 ? null : digest, ids(in));
  }

  static long[] ids(PackedReader in) {
    long[] ids = new long[in.count(1)];
    long last = 0;
    for (int i = 0; i < ids.length; i++) {
      last += in.signed();
      ids[i] = last;
    }
    return ids;
  }

  static Execution execution(PackedReader in) {
    return new Execution(in.text(), in.number(), in.signed());
  }
}
