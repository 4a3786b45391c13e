package io.headgate.state;

import com.hazelcast.query.Predicate;
import io.headgate.wire.PackedReader;
import io.headgate.wire.PackedWriter;
import java.util.Map;

/**
 * The cells of one descriptor that no bundle has.
 *
 * @param prefix what their keys begin with
 */
record FreeCellsOf(byte[] prefix) implements Predicate<byte[], byte[]> {
  private static final int VERSION = 1;

  @Override
  public boolean apply(Map.Entry<byte[], byte[]> entry) {
    return StateCell.fromBytes(entry.getKey()).startsWith(prefix)
        && KeptCell.read(entry.getValue()).isFree();
  }

  byte[] toBytes() {
    PackedWriter out = new PackedWriter(16 + prefix.length, Integer.MAX_VALUE);
    out.octet(VERSION);
    out.bytes(prefix);
    return out.toByteArray();
  }

  static FreeCellsOf fromBytes(byte[] bytes) {
    PackedReader in = new PackedReader(bytes);
    in.octet(); // so far there is nothing that the version would have to tell
    return new FreeCellsOf(in.bytes());
  }
}
