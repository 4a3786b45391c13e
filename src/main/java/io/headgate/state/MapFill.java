package io.headgate.state;

import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.LocalMapStats;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * How full this member's part of one map is. Measured every second; what is added between two
 * measurements is counted on top. Copies of other members' entries are not part of it. Safe on any
 * thread.
 */
final class MapFill {
  /** Owned entries and copies of others' together leave half of the heap to everything else. */
  private static final int PARTS_OF_HEAP = 4;

  /** What timelines may take of that quarter, so that published graphs are sure of the rest. */
  private static final int TIMELINES_PART = 4;

  /** So much more may be taken for what a timeline can't be without. */
  private static final int RESERVE_PART = 8;

  private final long mostBytes;
  private final LongAdder refused = new LongAdder();
  private final AtomicLong bytes = new AtomicLong();
  private volatile long entries;
  private volatile long copies;
  private volatile long copyBytes;
  private volatile long evicted;

  /**
   * @param mostBytes past this there is no room
   */
  MapFill(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /**
   * How many bytes a member may own where {@code configured} are allowed and its JVM can have a
   * heap of {@code heap}: at most a quarter, or those allowed could never be refused before the
   * memory is gone.
   */
  static long within(long configured, long heap) {
    return Math.min(configured, heap / PARTS_OF_HEAP);
  }

  /** How many bytes of timelines a member may own. */
  static long ofTimelines(long configured, long heap) {
    return within(configured, heap / TIMELINES_PART);
  }

  /** Lets entry processors on a member that is set up so find the fill of this map. */
  void addTo(Config settings, String map) {
    // The name of the map itself, since a longer text would be put together with every change.
    settings.getUserContext().put(map, this);
  }

  /** The fill of this map on {@code member}, or null where nobody measures it. */
  static @Nullable MapFill of(HazelcastInstance member, String map) {
    return (MapFill) member.getUserContext().get(map);
  }

  /** Whether an entry may grow by this much; one that shrinks always may. */
  boolean hasRoomFor(long more) {
    return more <= 0 || bytes.get() + more <= mostBytes;
  }

  /** The same where an eighth past the bound is allowed. */
  boolean hasReserveFor(long more) {
    return more <= 0 || bytes.get() + more <= mostBytes + mostBytes / RESERVE_PART;
  }

  /** A change was made in a smaller way, or not at all, because there was no room for it. */
  void refuse() {
    refused.increment();
  }

  /** How many changes were. */
  long refused() {
    return refused.sum();
  }

  /** An entry has grown by this much, or has shrunk. */
  void changedBy(long difference) {
    bytes.addAndGet(difference);
  }

  void measure(LocalMapStats stats) {
    measure(stats, stats.getOwnedEntryMemoryCost());
  }

  /**
   * @param ownedBytes what its entries take, where Hazelcast doesn't tell
   */
  void measure(LocalMapStats stats, long ownedBytes) {
    bytes.set(ownedBytes);
    entries = stats.getOwnedEntryCount();
    copies = stats.getBackupEntryCount();
    copyBytes = stats.getBackupEntryMemoryCost();
    evicted = stats.getEvictionCount();
  }

  long mostBytes() {
    return mostBytes;
  }

  long bytes() {
    return bytes.get();
  }

  long entries() {
    return entries;
  }

  /** How many copies of other members' entries it has. */
  long copies() {
    return copies;
  }

  long copyBytes() {
    return copyBytes;
  }

  /** How many entries went because of the bound on their number, since this member began. */
  long evicted() {
    return evicted;
  }
}
