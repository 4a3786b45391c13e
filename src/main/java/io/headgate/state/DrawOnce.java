package io.headgate.state;

import com.hazelcast.map.EntryProcessor;
import io.headgate.wire.PackedReader;
import io.headgate.wire.PackedWriter;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Gives what an entry has; where it has nothing, the bytes that were brought along, which it has
 * from then on. So whoever asks first decides for all, and nobody writes a second time.
 */
final class DrawOnce implements EntryProcessor<Long, byte[], byte[]> {
  private static final long serialVersionUID = 1L;
  private static final int VERSION = 1;

  private final transient byte[] drawn;
  private transient @Nullable SetEntry change;

  DrawOnce(byte[] drawn) {
    this.drawn = drawn;
  }

  @Override
  public byte[] process(Map.Entry<Long, byte[]> entry) {
    byte[] known = entry.getValue();
    change = null;
    if (known != null) {
      return known;
    }
    change = new SetEntry(drawn, 0).apply(entry);
    return drawn;
  }

  @Override
  @SuppressWarnings({"unchecked", "rawtypes"}) // nobody looks at what a copy returns
  public @Nullable EntryProcessor<Long, byte[], byte[]> getBackupProcessor() {
    return (EntryProcessor) change;
  }

  byte[] toBytes() {
    PackedWriter out = new PackedWriter(16 + drawn.length, Integer.MAX_VALUE);
    out.octet(VERSION);
    out.bytes(drawn);
    return out.toByteArray();
  }

  static DrawOnce fromBytes(byte[] bytes) {
    PackedReader in = new PackedReader(bytes);
    in.octet(); // so far there is nothing that the version would have to tell
    return new DrawOnce(in.bytes());
  }
}
