package io.headgate.fn;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The instructions of one harness that await their answer (F2). Each has a place, of which there
 * are few; gives it up exactly once, when it is answered, overdue or lost; and then says what came
 * of it. On the loop.
 *
 * <p>A place is held for as long as the harness may be at work: a bundle that failed early keeps
 * its place until the harness answers, or its deadline has passed.
 */
final class Instructions {
  /** How many ended ones are remembered, to tell a late or repeated answer from an invented one. */
  private static final int REMEMBERED = 256;

  private final int places;
  private final Loop loop;
  private final FnMeters meters;
  private final Map<String, Outstanding> outstanding = new LinkedHashMap<>();
  private final Map<String, FnMeters.Ignored> ended =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, FnMeters.Ignored> eldest) {
          return size() > REMEMBERED;
        }
      };

  /** One that awaits its answer. */
  private record Outstanding(
      Class<? extends Answer> expected, Loop.Timer deadline, Consumer<Answer> whenDone) {}

  /**
   * @param places how many may await their answer at once
   */
  Instructions(int places, Loop loop, FnMeters meters) {
    this.places = places;
    this.loop = loop;
    this.meters = meters;
  }

  /** How many more may begin now. */
  int free() {
    return places - outstanding.size();
  }

  /** How many await their answer. */
  int size() {
    return outstanding.size();
  }

  /** Whether this one awaits its answer. */
  boolean contains(String id) {
    return outstanding.containsKey(id);
  }

  /**
   * Takes a place for one that will be sent, or has been. There must be a free one.
   *
   * @param expected the only kind of answer that is none of a failure
   * @param whenDone told once; must not throw
   */
  void begin(
      String id, Class<? extends Answer> expected, Duration deadline, Consumer<Answer> whenDone) {
    if (free() <= 0) {
      throw new IllegalStateException("no place is free");
    }
    Loop.Timer timer =
        loop.after(deadline, () -> end(id, new Answer.Overdue(), FnMeters.Ignored.LATE));
    outstanding.put(id, new Outstanding(expected, timer, whenDone));
  }

  /** An answer came. One to nothing outstanding is counted and ignored. */
  void answered(String id, Answer answer) {
    Outstanding one = outstanding.get(id);
    if (one == null) {
      meters.ignored(ended.getOrDefault(id, FnMeters.Ignored.UNKNOWN));
      return;
    }
    boolean fits = answer instanceof Answer.Failed || one.expected.isInstance(answer);
    end(id, fits ? answer : new Answer.Unfit(), FnMeters.Ignored.REPEATED);
  }

  /** The stream is gone: all of them end, at once. */
  void lost() {
    List<String> all = new ArrayList<>(outstanding.keySet());
    all.forEach(id -> end(id, new Answer.Lost(), FnMeters.Ignored.LATE));
  }

  private void end(String id, Answer answer, FnMeters.Ignored ifAnsweredAgain) {
    @Nullable Outstanding one = outstanding.remove(id);
    if (one != null) {
      one.deadline.cancel();
      ended.put(id, ifAnsweredAgain);
      one.whenDone.accept(answer);
    }
  }
}
