package io.headgate.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Replay is found in one way through a batch, whatever stands in it (T1b). */
class ReplayWorkTest {
  private static final int BATCH = 4_000;

  /** It runs where a whole part of the cluster's state waits for it. */
  @Test
  void T1b_a_batch_of_twins_takes_no_more_work_than_another() {
    EventDigest twin = digest(1);
    ArrivalLog log = after(ArrivalLog.EMPTY, Collections.nCopies(BATCH / 2, twin));
    for (int link = 1; link <= ArrivalLog.MAX_LINKS; link++) {
      log = after(log, List.of(digest(10 * link), digest(10 * link + 1)));
    }
    for (int link = 1; link <= ArrivalLog.MAX_LINKS; link++) {
      log = after(log, List.of(digest(10 * link), digest(10 * link + 2)));
    }
    List<EventDigest> batch = new ArrayList<>(Collections.nCopies(BATCH - 1, twin));
    batch.add(digest(2));
    long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    for (int i = 0; i < 5; i++) {
      assertThat(log.replayIn(batch).length()).isEqualTo(BATCH / 2);
    }
    long took = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before;
    assertThat(took)
        .as("CPU time; beginning anew at each twin took 10 s")
        .isLessThan(4_000_000_000L);
  }

  @Property(tries = 2_000)
  void T1b_it_is_what_a_look_at_every_run_finds(
      @ForAll @Size(max = 6) List<@Size(max = 5) List<@IntRange(min = 1, max = 3) Integer>> past,
      @ForAll @Size(max = 8) List<@IntRange(min = 1, max = 3) Integer> batch) {
    ArrivalLog log = ArrivalLog.EMPTY;
    for (List<Integer> each : past) {
      log = after(log, digests(each));
    }
    assertThat(log.replayIn(digests(batch)).length()).isEqualTo(longest(log, digests(batch)));
  }

  private static int longest(ArrivalLog log, List<EventDigest> batch) {
    int longest = 0;
    for (long place = log.digests().begin(); place < log.digests().end(); place++) {
      longest = Math.max(longest, run(log, place, batch, 0, false));
    }
    for (int start = 1; start < batch.size() && log.digests().size() > 0; start++) {
      longest = Math.max(longest, run(log, log.digests().begin(), batch, start, true));
    }
    return longest;
  }

  /** How long the batch's beginning is up to the end of the longest run from here; 0 if none. */
  private static int run(
      ArrivalLog log, long place, List<EventDigest> batch, int at, boolean toTheEnd) {
    Tuples known = log.digests();
    if (at == batch.size()
        || !new EventDigest(known.get(place, 0), known.get(place, 1)).equals(batch.get(at))) {
      return 0;
    }
    int longest = !toTheEnd || place == known.end() - 1 ? at + 1 : 0;
    if (place + 1 < known.end()) {
      longest = Math.max(longest, run(log, place + 1, batch, at + 1, toTheEnd));
    }
    long[] links = log.links();
    for (int i = 0; i < links.length; i += 2) {
      if (links[i] == place) {
        longest = Math.max(longest, run(log, links[i + 1], batch, at + 1, toTheEnd));
      }
    }
    return longest;
  }

  private static ArrivalLog after(ArrivalLog log, List<EventDigest> batch) {
    return log.with(batch, log.replayIn(batch));
  }

  private static List<EventDigest> digests(List<Integer> numbers) {
    return numbers.stream().map(ReplayWorkTest::digest).toList();
  }

  private static EventDigest digest(int number) {
    return new EventDigest(number, 7);
  }
}
