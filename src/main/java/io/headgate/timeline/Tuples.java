package io.headgate.timeline;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A list of tuples of longs that only grows at its end and only shrinks at its beginning. Immutable
 * and yet cheap to append to: all but the last of its chunks are shared with the list before.
 * Places are counted from the very first tuple ever, so they stay the same when old ones go.
 */
final class Tuples {
  /** Tuples in a chunk: what appending one copies, a kilobyte or two. */
  static final int CHUNK = 128;

  /** Bits by which a chunk tells most tuples that are not in it without being looked through. */
  private static final int MARKS = 1_024;

  private static final int MARK_BYTES = MARKS / Byte.SIZE;

  private static final int COST = 64 + MARK_BYTES;

  private final int width;
  private final long begin;
  private final long end;
  private final long[][] chunks;

  /** Of each chunk; a bit is set where a tuple's first field ends with its number. */
  private final long[][] marks;

  private Tuples(int width, long begin, long end, long[][] chunks, long[][] marks) {
    this.width = width;
    this.begin = begin;
    this.end = end;
    this.chunks = chunks;
    this.marks = marks;
  }

  static Tuples empty(int width) {
    return new Tuples(width, 0, 0, new long[0][], new long[0][]);
  }

  /** One that begins at the place {@code begin}, which is rounded down to a whole chunk. */
  static Tuples beginningAt(long begin, int width) {
    long place = begin / CHUNK * CHUNK;
    return new Tuples(width, place, place, new long[0][], new long[0][]);
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
   * the last bits of first fields are as good as random.
   */
  long[] placesOf(long first, long second) {
    long[] places = new long[4];
    int count = 0;
    for (int chunk = 0; chunk < chunks.length; chunk++) {
      if ((marks[chunk][word(first)] & bit(first)) == 0) {
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

  private static int word(long first) {
    return (int) (first >>> 6) & MARKS / Long.SIZE - 1;
  }

  private static long bit(long first) {
    return 1L << first; // of the shift only its last six bits count
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
    long[][] marked = Arrays.copyOf(marks, longer.length);
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
      marked[chunk] = marked(marked[chunk], filled, offset);
      from += count;
      at += count;
    }
    return new Tuples(width, begin, end + added, longer, marked);
  }

  /** The marks of a chunk that had some before and whose tuples from {@code from} on are new. */
  private long[] marked(long @Nullable [] before, long[] chunk, int from) {
    long[] now = before == null ? new long[MARKS / Long.SIZE] : before.clone();
    for (int at = from; at < chunk.length; at += width) {
      now[word(chunk[at])] |= bit(chunk[at]);
    }
    return now;
  }

  /** The same without whole chunks at its beginning that leave at least {@code count} tuples. */
  Tuples last(int count) {
    int gone = Math.max(0, (size() - count) / CHUNK);
    return gone == 0
        ? this
        : new Tuples(
            width,
            begin + (long) gone * CHUNK,
            end,
            Arrays.copyOfRange(chunks, gone, chunks.length),
            Arrays.copyOfRange(marks, gone, marks.length));
  }

  int cost() {
    return COST + size() * (width * Long.BYTES + MARK_BYTES / CHUNK);
  }

  /** The most that a list costs of which {@link #last} keeps {@code count}. */
  static int maxCost(int count, int width) {
    return COST + (count + CHUNK) * (width * Long.BYTES + MARK_BYTES / CHUNK);
  }
}
