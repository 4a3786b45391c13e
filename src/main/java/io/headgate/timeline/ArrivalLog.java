package io.headgate.timeline;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Which schema events of a job have come, in the order of their arrival, by digest: what tells a
 * replay from news (T1b). Immutable.
 *
 * <h2>What comes</h2>
 *
 * An engine keeps events in a ring and sends batches of them until each is acknowledged. After a
 * lost reply a batch comes again, perhaps longer. After the loss of the engine's master the new one
 * begins again at the head of its ring, from which the last events may be missing.
 *
 * <h2>Runs</h2>
 *
 * A run is a way through the log from place to next place. Where a ring had lost events, new ones
 * come behind known ones although others stand between them in the log; a link from the event that
 * came last to the first new one lets a run go that way when they come again.
 *
 * <h2>What is replay</h2>
 *
 * The longest beginning of a batch that is a run, or that ends with a run through the log from its
 * first event that is kept to its last one: what stands before it is older than the log.
 */
final class ArrivalLog {
  /** The contract asks for 4,000; a ring holds 2,000 events, of all kinds and all jobs. */
  static final int CAPACITY = 4_096;

  /** Losses of a master with loss of events, within {@link #CAPACITY} events. */
  static final int MAX_LINKS = 64;

  static final int MAX_COST = Tuples.maxCost(CAPACITY, 2) + 2 * MAX_LINKS * Long.BYTES;

  static final ArrivalLog EMPTY = new ArrivalLog(Tuples.empty(2), new long[0], -1);

  private final Tuples digests;

  /** Places in pairs: from where, to where; in order of the second. */
  private final long[] links;

  /** The place of the event that came last, known or new; -1 if none did. */
  private final long last;

  private ArrivalLog(Tuples digests, long[] links, long last) {
    this.digests = digests;
    this.links = links;
    this.last = last;
  }

  /**
   * The beginning of a batch that has come before.
   *
   * @param length how many events
   * @param last the place of the last one, -1 if there is none
   */
  record Replay(int length, long last) {
    private static final Replay NONE = new Replay(0, -1);
  }

  Tuples digests() {
    return digests;
  }

  long[] links() {
    return links;
  }

  long last() {
    return last;
  }

  /** How much of the beginning of {@code batch} is replay. */
  Replay replayIn(List<EventDigest> batch) {
    if (batch.isEmpty() || digests.size() == 0) {
      return Replay.NONE;
    }
    Replay run = longestRun(batch);
    int whole = run.length == batch.size() ? 0 : throughWholeLog(batch);
    return whole > run.length ? new Replay(whole, digests.end() - 1) : run;
  }

  private Replay longestRun(List<EventDigest> batch) {
    long[] places = digests.placesOf(batch.get(0).high(), batch.get(0).low());
    Replay run = Replay.NONE;
    while (places.length > 0) {
      run = new Replay(run.length + 1, places[places.length - 1]);
      places = run.length == batch.size() ? new long[0] : following(places, batch.get(run.length));
    }
    return run;
  }

  /**
   * How long the longest beginning of {@code batch} is that ends with a run from the log's first
   * event to its last; 0 if there is none. Wherever such a run may begin, all are followed at once:
   * one after the other, a batch of twins would take as many steps as its square.
   */
  private int throughWholeLog(List<EventDigest> batch) {
    long[] places = new long[0];
    int length = 0;
    for (int i = 1; i < batch.size(); i++) {
      places = following(places, batch.get(i));
      if (isAt(digests.begin(), batch.get(i))) {
        places = withFirst(places);
      }
      if (places.length > 0 && places[places.length - 1] == digests.end() - 1) {
        length = i + 1;
      }
    }
    return length;
  }

  /** The same places and, before them all, the log's first, to which nothing leads. */
  private long[] withFirst(long[] places) {
    long[] more = new long[places.length + 1];
    more[0] = digests.begin();
    System.arraycopy(places, 0, more, 1, places.length);
    return more;
  }

  private boolean isAt(long place, EventDigest digest) {
    return digests.get(place, 0) == digest.high() && digests.get(place, 1) == digest.low();
  }

  /** Where {@code digest} stands next to one of {@code places}; both in order. */
  private long[] following(long[] places, EventDigest digest) {
    if (places.length == 0) {
      return places;
    }
    long[] next = new long[places.length + links.length / 2];
    int count = 0;
    for (long place : places) {
      if (place + 1 < digests.end() && isAt(place + 1, digest)) {
        next[count++] = place + 1;
      }
    }
    for (int i = 0; i < links.length; i += 2) {
      if (Arrays.binarySearch(places, links[i]) >= 0 && isAt(links[i + 1], digest)) {
        next[count++] = links[i + 1];
      }
    }
    return sortedAndDistinct(next, count);
  }

  private static long[] sortedAndDistinct(long[] places, int count) {
    boolean ordered = true;
    for (int i = 1; i < count; i++) {
      ordered &= places[i - 1] < places[i];
    }
    long[] exact = Arrays.copyOf(places, count);
    return ordered ? exact : Arrays.stream(exact).sorted().distinct().toArray();
  }

  /** The log after {@code batch} has come, of which {@code replay} was known. */
  ArrivalLog with(List<EventDigest> batch, Replay replay) {
    long before = replay.length == 0 ? last : replay.last;
    if (replay.length == batch.size()) {
      return before == last ? this : new ArrivalLog(digests, links, before);
    }
    long[] news = new long[2 * (batch.size() - replay.length)];
    int at = 0;
    for (EventDigest digest : batch.subList(replay.length, batch.size())) {
      news[at++] = digest.high();
      news[at++] = digest.low();
    }
    long[] linked =
        before < digests.begin() || before == digests.end() - 1
            ? links
            : linked(before, digests.end());
    Tuples longer = digests.with(news).last(CAPACITY);
    return new ArrivalLog(longer, current(linked, longer.begin()), longer.end() - 1);
  }

  private long[] linked(long from, long to) {
    long[] longer = Arrays.copyOf(links, links.length + 2);
    longer[links.length] = from;
    longer[links.length + 1] = to;
    return longer;
  }

  /** The last links whose both ends are still in the log. */
  private static long[] current(long[] links, long begin) {
    int first = Math.max(0, links.length - 2 * MAX_LINKS);
    if (first == 0 && (links.length == 0 || allFrom(links, begin))) {
      return links;
    }
    long[] kept = new long[links.length];
    int count = 0;
    for (int i = first; i < links.length; i += 2) {
      if (links[i] >= begin) {
        kept[count++] = links[i];
        kept[count++] = links[i + 1];
      }
    }
    return Arrays.copyOf(kept, count);
  }

  private static boolean allFrom(long[] links, long begin) {
    for (int i = 0; i < links.length; i += 2) {
      if (links[i] < begin) {
        return false;
      }
    }
    return true;
  }

  /**
   * The log of two halves of a cluster that were one: what they have in common, what came to the
   * first, what came to the other.
   */
  ArrivalLog and(ArrivalLog other) {
    long place = Math.max(digests.begin(), other.digests.begin());
    long common = Math.min(digests.end(), other.digests.end());
    while (place < common && isAt(place, other.digestAt(place))) {
      place++;
    }
    if (place >= other.digests.end()) {
      return this;
    }
    boolean known = place > digests.begin() && place <= digests.end();
    List<EventDigest> run = new ArrayList<>();
    if (known) {
      run.add(digestAt(place - 1));
    }
    for (long i = place; i < other.digests.end(); i++) {
      run.add(other.digestAt(i));
    }
    return with(run, known ? new Replay(1, place - 1) : Replay.NONE);
  }

  private EventDigest digestAt(long place) {
    return new EventDigest(digests.get(place, 0), digests.get(place, 1));
  }

  int cost() {
    return digests.cost() + links.length * Long.BYTES;
  }

  /** What was stored once; links that can't be of it are left out. */
  static ArrivalLog stored(Tuples digests, long[] links, long last) {
    boolean sound = last < digests.end();
    for (int i = 0; i < links.length; i += 2) {
      sound &= links[i] >= digests.begin() && links[i] < links[i + 1];
      sound &= links[i + 1] < digests.end();
    }
    return sound
        ? new ArrivalLog(digests, links, last)
        : new ArrivalLog(digests, new long[0], digests.end() - 1);
  }
}
