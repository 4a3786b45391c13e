package io.headgate.state;

import com.hazelcast.core.ReadOnly;
import com.hazelcast.map.EntryProcessor;
import io.headgate.wire.PackedReader;
import io.headgate.wire.PackedWriter;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads some pieces of a cell where it is owned, so that a page travels and not all of it.
 *
 * @param from the index of the first
 * @param most how many bytes there should be at most; a single piece may be larger
 */
record CellRead(int from, int most) implements EntryProcessor<byte[], byte[], byte[]>, ReadOnly {
  private static final int VERSION = 1;

  /** The page; {@link #page} reads it. */
  @Override
  public byte[] process(Map.Entry<byte[], byte[]> entry) {
    BundleStateStore.Page page = KeptCell.read(entry.getValue()).page(from, most);
    int size = (int) Math.min(Integer.MAX_VALUE - 64, KeptCell.bytes(page.pieces()) + 64);
    PackedWriter out = new PackedWriter(size, Integer.MAX_VALUE);
    out.octet(VERSION);
    out.octet(page.more() ? 1 : 0);
    KeptCell.write(page.pieces(), out);
    return out.toByteArray();
  }

  static BundleStateStore.Page page(byte[] answer) {
    PackedReader in = new PackedReader(answer);
    in.octet(); // so far there is nothing that the version would have to tell
    boolean more = in.octet() != 0;
    return new BundleStateStore.Page(KeptCell.readPieces(in), more);
  }

  @Override
  public @Nullable EntryProcessor<byte[], byte[], byte[]> getBackupProcessor() {
    return null; // there is nothing to copy
  }

  byte[] toBytes() {
    PackedWriter out = new PackedWriter(16, Integer.MAX_VALUE);
    out.octet(VERSION);
    out.number(from);
    out.number(most);
    return out.toByteArray();
  }

  static CellRead fromBytes(byte[] bytes) {
    PackedReader in = new PackedReader(bytes);
    in.octet(); // so far there is nothing that the version would have to tell
    long from = in.number();
    long most = in.number();
    if (from < 0 || from > Integer.MAX_VALUE || most < 0 || most > Integer.MAX_VALUE) {
      throw in.unreadable();
    }
    return new CellRead((int) from, (int) most);
  }
}
