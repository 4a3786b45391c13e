package io.headgate.fn;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The harnesses that this gateway knows, by the id that they give: those with a stream, and those
 * that have left a short while ago, for their logs (F2, F8). On the loop.
 */
public final class Harnesses {
  private final FnLimits limits;
  private final Loop loop;
  private final FnMeters meters;
  private final HeldBytes held;
  private final InstructionIds ids = new InstructionIds();
  private final TreeMap<String, Harness> byId = new TreeMap<>();

  Harnesses(FnLimits limits, Loop loop, FnMeters meters) {
    this.limits = limits;
    this.loop = loop;
    this.meters = meters;
    this.held = new HeldBytes(limits.heldBytes());
  }

  InstructionIds ids() {
    return ids;
  }

  HeldBytes held() {
    return held;
  }

  /** What becomes of a stream that a harness opens. */
  public sealed interface Arrival {
    /** It may be opened, if the harness has no such stream. */
    record Known(Harness harness) implements Arrival {}

    /** The id belongs to another subject. */
    record Foreign() implements Arrival {}

    /** There are too many harnesses. */
    record Crowded() implements Arrival {}
  }

  /**
   * Finds the harness that opens a stream.
   *
   * @param id what it calls itself; empty if it does not say
   * @param subject whose token it showed, or null if none is asked for
   */
  public Arrival arrive(String id, @Nullable String subject) {
    Harness found = byId.get(id);
    if (found != null && found.hasLeft() && !Objects.equals(found.subject(), subject)) {
      byId.remove(id); // nobody has it any more, and its log is none of the new one's business
      found = null;
    }
    if (found != null) {
      if (Objects.equals(found.subject(), subject)) {
        return new Arrival.Known(found);
      }
      meters.refused(FnMeters.Refused.FOREIGN);
      return new Arrival.Foreign();
    }
    if (byId.size() >= limits.harnesses() && !forgetOneThatLeft()) {
      meters.refused(FnMeters.Refused.CROWDED);
      return new Arrival.Crowded();
    }
    Harness harness = new Harness(id, subject, loop, limits, meters, ids, held);
    byId.put(id, harness);
    return new Arrival.Known(harness);
  }

  private boolean forgetOneThatLeft() {
    long now = loop.nanos();
    return byId.values().stream()
        .filter(Harness::hasLeft)
        .max(Comparator.comparingLong(harness -> now - harness.leftAt()))
        .map(harness -> byId.remove(harness.id(), harness))
        .orElse(false);
  }

  /** A stream was refused because the harness has such a one. */
  public void countDuplicate() {
    meters.refused(FnMeters.Refused.DUPLICATE);
  }

  /** The harness of this id, or null. */
  @Nullable Harness find(String id) {
    return byId.get(id);
  }

  /** All of them, by id. */
  Collection<Harness> all() {
    return List.copyOf(byId.values());
  }

  /** Looks what has taken too long, and forgets who left long ago. */
  void check() {
    long kept = limits.logKept().toNanos();
    long now = loop.nanos();
    byId.values().removeIf(harness -> harness.hasLeft() && now - harness.leftAt() >= kept);
    for (Harness harness : all()) {
      harness.bundles().forEach(Bundle::check);
    }
  }
}
