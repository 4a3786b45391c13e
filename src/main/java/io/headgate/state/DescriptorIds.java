package io.headgate.state;

import com.hazelcast.aggregation.Aggregator;
import io.headgate.wire.PackedReader;
import io.headgate.wire.PackedWriter;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Lists ids of descriptors: goes through the keys of each member where they are, and brings back no
 * more than asked for.
 */
final class DescriptorIds implements Aggregator<Map.Entry<String, byte[]>, List<String>> {
  private static final long serialVersionUID = 1L;
  private static final int VERSION = 1;

  private final transient String after;
  private final transient int most;
  private final transient TreeSet<String> ids = new TreeSet<>();

  /**
   * @param after only ids behind this one
   * @param most how many there should be at most
   */
  DescriptorIds(String after, int most) {
    this.after = after;
    this.most = most;
  }

  @Override
  public void accumulate(Map.Entry<String, byte[]> entry) {
    add(entry.getKey());
  }

  private void add(String id) {
    if (id.compareTo(after) > 0) {
      ids.add(id);
      if (ids.size() > most) {
        ids.pollLast();
      }
    }
  }

  @Override
  @SuppressWarnings("rawtypes") // as Hazelcast declares it
  public void combine(Aggregator other) {
    ((DescriptorIds) other).ids.forEach(this::add);
  }

  /** The ids in order. */
  @Override
  public List<String> aggregate() {
    return List.copyOf(ids);
  }

  byte[] toBytes() {
    PackedWriter out = new PackedWriter(256, Integer.MAX_VALUE);
    out.octet(VERSION);
    out.text(after);
    out.number(most);
    out.number(ids.size());
    ids.forEach(out::text);
    return out.toByteArray();
  }

  static DescriptorIds fromBytes(byte[] bytes) {
    PackedReader in = new PackedReader(bytes);
    in.octet(); // so far there is nothing that the version would have to tell
    String after = in.text();
    long most = in.number();
    if (most < 0 || most > Integer.MAX_VALUE) {
      throw in.unreadable();
    }
    DescriptorIds read = new DescriptorIds(after, (int) most);
    for (int left = in.count(1); left > 0; left--) {
      read.add(in.text());
    }
    return read;
  }
}
