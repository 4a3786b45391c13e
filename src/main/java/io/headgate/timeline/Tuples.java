package io.headgate.timeline;

import java.util.Arrays;

/**
 * A list of tuples of longs that only grows at its end and only shrinks at its beginning. Immutable
 * and yet cheap to append to: all but the last of its chunks are shared with the list before.
 * Places are counted from the very first tuple ever, so they stay the same when old ones go.
 */
final class Tuples {
  /** Tuples in a chunk: what appending one copies, a kilobyte or two. */
  static final int CHUNK = 128;

  /** Slots of {@link #where}. */
  private static final int SLOTS = 1_024;

  private static final long[] NOWHERE = {};

  private static final int COST = 64;

  private final int width;
  private final long begin;
  private final long end;
  private final long[][] chunks;

  /**
   * In which of the full chunks to look: each tuple's first field names two slots, and both have
   * the bit of its chunk. Made anew when another chunk is full, empty before the first is.
   */
  private final long[] where;

  private Tuples(int width, long begin, long end, long[][] chunks, long[] where) {
    this.width = width;
    this.begin = begin;
    this.end = end;
    this.chunks = chunks;
    this.where = where;
  }

  static Tuples empty(int width) {
    return new Tuples(width, 0, 0, new long[0][], NOWHERE);
  }

  /** One that begins at the place {@code begin}, which is rounded down to a whole chunk. */
  static Tuples beginningAt(long begin, int width) {
    long place = begin / CHUNK * CHUNK;
    return new Tuples(width, place, place, new long[0][], NOWHERE);
  }

  /** The place of the first tuple that is kept. */
  long begin() {
    return begin;
  }

  /** The place behind the last tuple. */
  long end() {
    return end;
  }

  int size() {
    return (int) (end - begin);
  }

  long get(long place, int field) {
    int index = (int) (place - begin);
    return chunks[index / CHUNK][index % CHUNK * width + field];
  }

  /**
   * The places of the tuples that begin with {@code first} and {@code second}, in order. Quick if
   * first fields are as good as random.
   */
  long[] placesOf(long first, long second) {
    long[] places = new long[4];
    int count = 0;
    long candidates = where.length == 0 ? 0 : where[slot(first)] & where[otherSlot(first)];
    int full = size() / CHUNK;
    for (int chunk = 0; chunk < chunks.length; chunk++) {
      if (chunk < full && (candidates & bit(chunk)) == 0) {
        continue;
      }
      long[] tuples = chunks[chunk];
      for (int at = 0; at < tuples.length; at += width) {
        if (tuples[at] == first && tuples[at + 1] == second) {
          places = count == places.length ? Arrays.copyOf(places, 2 * count) : places;
          places[count++] = begin + (long) chunk * CHUNK + at / width;
        }
      }
    }
    return Arrays.copyOf(places, count);
  }

  private static int slot(long first) {
    return (int) first & SLOTS - 1;
  }

  private static int otherSlot(long first) {
    return (int) (first >>> 32) & SLOTS - 1;
  }

  /** Chunks past the 64th share bits with others; so many are there for a moment only. */
  private static long bit(int chunk) {
    return 1L << (chunk & Long.SIZE - 1);
  }

  /** Where the tuples of the first {@code full} chunks are. */
  private static long[] where(long[][] chunks, int full, int width) {
    if (full == 0) {
      return NOWHERE;
    }
    long[] where = new long[SLOTS];
    for (int chunk = 0; chunk < full; chunk++) {
      for (int at = 0; at < CHUNK * width; at += width) {
        where[slot(chunks[chunk][at])] |= bit(chunk);
        where[otherSlot(chunks[chunk][at])] |= bit(chunk);
      }
    }
    return where;
  }

  /**
   * The same with more tuples at its end.
   *
   * @param tuples one behind the other
   */
  Tuples with(long[] tuples) {
    int added = tuples.length / width;
    int size = size() + added;
    long[][] longer = Arrays.copyOf(chunks, (size + CHUNK - 1) / CHUNK);
    int chunkLongs = CHUNK * width;
    int at = size() * width;
    for (int from = 0; from < tuples.length; ) {
      int chunk = at / chunkLongs;
      int offset = at % chunkLongs;
      int count = Math.min(chunkLongs - offset, tuples.length - from);
      long[] old = longer[chunk];
      long[] filled = old == null ? new long[count] : Arrays.copyOf(old, offset + count);
      System.arraycopy(tuples, from, filled, offset, count);
      longer[chunk] = filled;
      from += count;
      at += count;
    }
    int full = size / CHUNK;
    long[] found = full == size() / CHUNK ? where : where(longer, full, width);
    return new Tuples(width, begin, end + added, longer, found);
  }

  /** The same without whole chunks at its beginning that leave at least {@code count} tuples. */
  Tuples last(int count) {
    int gone = Math.max(0, (size() - count) / CHUNK);
    if (gone == 0) {
      return this;
    }
    long[][] left = Arrays.copyOfRange(chunks, gone, chunks.length);
    long[] found = where(left, size() / CHUNK - gone, width);
    return new Tuples(width, begin + (long) gone * CHUNK, end, left, found);
  }

  int cost() {
    return COST + (where.length + size() * width) * Long.BYTES;
  }

  /** The most that a list costs of which {@link #last} keeps {@code count}. */
  static int maxCost(int count, int width) {
    return COST + (SLOTS + (count + CHUNK) * width) * Long.BYTES;
  }
}
