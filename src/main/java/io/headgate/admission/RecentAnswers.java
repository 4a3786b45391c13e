package io.headgate.admission;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Finished answers that may be given again for a short while (L18), bounded by their bytes; the
 * least recently used goes first. Safe on any thread; the lock is held for one map operation.
 */
final class RecentAnswers<K, A> {
  /** What an entry costs beside its body: the answer, its headers, the map's node. */
  private static final int ENTRY_BYTES = 512;

  private final long maxBytes;
  private final LongAdder evicted = new LongAdder();

  // Guarded by this. Access order, so that the first entry is the least recently used.
  private final LinkedHashMap<K, Entry<A>> entries = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;

  private record Entry<A>(A answer, long expiresAt, long bytes) {}

  RecentAnswers(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  synchronized @Nullable A get(K key, long now) {
    Entry<A> entry = entries.get(key);
    if (entry == null) {
      return null;
    }
    if (entry.expiresAt - now <= 0) {
      entries.remove(key);
      bytes -= entry.bytes;
      return null;
    }
    return entry.answer;
  }

  synchronized void put(K key, A answer, long bodyBytes, long expiresAt, long now) {
    long size = bodyBytes + ENTRY_BYTES;
    Entry<A> old = entries.remove(key);
    if (old != null) {
      bytes -= old.bytes;
    }
    if (size > maxBytes) {
      return;
    }
    Iterator<Map.Entry<K, Entry<A>>> eldest = entries.entrySet().iterator();
    while (eldest.hasNext()) {
      Entry<A> entry = eldest.next().getValue();
      boolean expired = entry.expiresAt - now <= 0;
      if (!expired && bytes + size <= maxBytes) {
        break;
      }
      eldest.remove();
      bytes -= entry.bytes;
      if (!expired) {
        evicted.increment();
      }
    }
    entries.put(key, new Entry<>(answer, expiresAt, size));
    bytes += size;
  }

  synchronized int count() {
    return entries.size();
  }

  synchronized long bytes() {
    return bytes;
  }

  long evicted() {
    return evicted.sum();
  }
}
