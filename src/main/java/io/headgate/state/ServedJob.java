package io.headgate.state;

import io.headgate.graph.Execution;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a fence remembers of one job, and the rules by which it judges the next answer (L22a, L22b).
 * Immutable; the arrays are never written to, nor may be those given. Pure: it knows no clock, no
 * map and no cluster, so the fence of one gateway and that of many follow the same rules.
 *
 * <h2>What is remembered of a job</h2>
 *
 * The execution served last, the few it replaced, and the numbering served last: a digest of the
 * name form and the ids in the order of the names. No names, no bytes of graphs. Executions with an
 * epoch and those without are remembered apart, because the two kinds can seldom be compared, and
 * one job may be served by two sources.
 *
 * <h2>Which execution is older</h2>
 *
 * One that certainly began earlier than the last one of either kind, and one that was itself served
 * and then replaced by another of its kind: creation times less than the skew apart say nothing,
 * but what has been replaced before can't be new. If for the length of the hold nothing but the
 * older one is seen, it is served again.
 *
 * <h2>Who knows of it</h2>
 *
 * Where many gateways share it, a job may be <em>untold</em>: it has moved on to another execution,
 * which none of them may serve before all of them know ({@link MovedJobs}).
 */
final class ServedJob {
  private static final long NOT_HELD = Long.MIN_VALUE;

  private final @Nullable ServedSlot epochs;
  private final @Nullable ServedSlot texts;
  private final long olderSince;
  private final boolean untold;

  private ServedJob(
      @Nullable ServedSlot epochs, @Nullable ServedSlot texts, long olderSince, boolean untold) {
    this.epochs = epochs;
    this.texts = texts;
    this.olderSince = olderSince;
    this.untold = untold;
  }

  /** What the rules say about one answer. */
  enum Verdict {
    SERVE,
    /** It is older than one already served. */
    OLDER
  }

  /**
   * An answer judged.
   *
   * @param verdict whether it may be served
   * @param ids to serve it under, in the order of the names; null for its own
   * @param yielded whether it is older and is served again after the hold
   * @param next what is remembered from now on; the very same object if nothing has changed
   */
  record Passage(Verdict verdict, long @Nullable [] ids, boolean yielded, ServedJob next) {}

  /**
   * Judges an answer.
   *
   * @param current what is remembered, or null of a job never seen
   * @param digest of the answer's name form, or null where names are not unique
   * @param ids of the answer in the order of the names; not looked at without a digest
   * @param nowMillis a clock of which only differences matter
   */
  static Passage pass(
      @Nullable ServedJob current,
      Execution execution,
      byte @Nullable [] digest,
      long[] ids,
      FenceConfig config,
      long nowMillis) {
    ServedJob job = current == null ? of(null, null, null, false) : current;
    boolean yielded = false;
    if (job.isOlder(execution, config.skew())) {
      long since = job.olderSince == NOT_HELD ? nowMillis : job.olderSince;
      if (nowMillis - since < config.hold().toMillis()) {
        return new Passage(Verdict.OLDER, null, false, job.with(job.epochs, job.texts, since));
      }
      yielded = true;
    }
    ServedSlot own = job.slot(execution.hasEpoch());
    boolean known = job.isOn(execution);
    ServedSlot next = own == null ? ServedSlot.first(execution) : own.after(execution);
    boolean numbered = digest != null && next.isNumberedAs(digest);
    if (!next.isNumberedAs(digest)) {
      next = next.numbered(digest, ids);
    }
    ServedJob after = job.served(next, config.skew());
    return new Passage(Verdict.SERVE, known && numbered ? next.ids() : null, yielded, after);
  }

  /**
   * What is remembered after an answer that another fence has let pass, under the ids it gave.
   *
   * @param digest as in {@link #pass}
   * @param ids the answer was served under, in the order of the names
   */
  static ServedJob after(
      @Nullable ServedJob current,
      Execution execution,
      byte @Nullable [] digest,
      long[] ids,
      FenceConfig config) {
    ServedJob job = current == null ? of(null, null, null, false) : current;
    ServedSlot own = job.slot(execution.hasEpoch());
    ServedSlot next = own == null ? ServedSlot.first(execution) : own.after(execution);
    if (!next.isNumberedAs(digest) || !Arrays.equals(next.ids(), ids)) {
      next = next.numbered(digest, ids);
    }
    return job.served(next, config.skew());
  }

  /** Whether an answer of this execution would be the first one after one of another. */
  boolean movesOnTo(Execution execution, FenceConfig config) {
    return !isOn(execution) && !isOlder(execution, config.skew());
  }

  /** Whether this is the execution of its kind that was served last. */
  boolean isOn(Execution execution) {
    return execution.equals(executionOf(slot(execution.hasEpoch())));
  }

  private static @Nullable Execution executionOf(@Nullable ServedSlot slot) {
    return slot == null ? null : slot.execution();
  }

  /** Whether a gateway may not know yet that the job has moved on. */
  boolean untold() {
    return untold;
  }

  /** The same, told to all or not. */
  ServedJob untold(boolean now) {
    return now == untold ? this : new ServedJob(epochs, texts, olderSince, now);
  }

  private boolean isOlder(Execution execution, Duration skew) {
    ServedSlot own = slot(execution.hasEpoch());
    ServedSlot other = slot(!execution.hasEpoch());
    return own != null && own.isOlder(execution, skew)
        || other != null && execution.isOlderThan(other.execution(), skew);
  }

  private @Nullable ServedSlot slot(boolean epoch) {
    return epoch ? epochs : texts;
  }

  /** The state after {@code slot} was served: nothing is held, and nothing it contradicts stays. */
  private ServedJob served(ServedSlot slot, Duration skew) {
    boolean epoch = slot.execution().hasEpoch();
    ServedSlot other = slot(!epoch);
    if (other != null && slot.execution().isOlderThan(other.execution(), skew)) {
      other = null; // the fence yielded to it
    }
    return epoch ? with(slot, other, NOT_HELD) : with(other, slot, NOT_HELD);
  }

  private ServedJob with(
      @Nullable ServedSlot newEpochs, @Nullable ServedSlot newTexts, long newOlderSince) {
    return newEpochs == epochs && newTexts == texts && newOlderSince == olderSince
        ? this
        : new ServedJob(newEpochs, newTexts, newOlderSince, untold);
  }

  /**
   * What two halves of a cluster remember of one job, put together after they were apart. The same
   * in either order; of each kind the newer execution wins, and what it wins over counts as
   * replaced. Where nothing tells which one is newer, the choice is arbitrary but everybody's. If
   * they were on different ones, the job has moved on for one of them, and is untold.
   *
   * <p>It knows no configuration: times are compared with the skew of {@link FenceConfig#DEFAULT}.
   */
  static ServedJob merge(ServedJob a, ServedJob b) {
    Duration skew = FenceConfig.DEFAULT.skew();
    return new ServedJob(
        merge(a.epochs, b.epochs, skew),
        merge(a.texts, b.texts, skew),
        a.olderSince == NOT_HELD || b.olderSince == NOT_HELD
            ? NOT_HELD
            : Math.max(a.olderSince, b.olderSince),
        a.untold
            || b.untold
            || !Objects.equals(executionOf(a.epochs), executionOf(b.epochs))
            || !Objects.equals(executionOf(a.texts), executionOf(b.texts)));
  }

  private static @Nullable ServedSlot merge(
      @Nullable ServedSlot a, @Nullable ServedSlot b, Duration skew) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    return ServedSlot.merge(a, b, skew);
  }

  /** The same without ids, for a store that has no room for them. */
  ServedJob withoutNumberings() {
    return with(unnumbered(epochs), unnumbered(texts), olderSince);
  }

  private static @Nullable ServedSlot unnumbered(@Nullable ServedSlot slot) {
    return slot == null || slot.digest() == null ? slot : slot.numbered(null, slot.ids());
  }

  /** How many ids it holds. */
  int idCount() {
    return (epochs == null ? 0 : epochs.ids().length) + (texts == null ? 0 : texts.ids().length);
  }

  /** Its stored form; see {@link ServedJobBytes}. */
  byte[] toBytes() {
    return ServedJobBytes.write(epochs, texts, olderSince == NOT_HELD ? null : olderSince, untold);
  }

  /**
   * Reads a stored form of this version, an older or a newer one.
   *
   * @throws io.headgate.wire.UnreadableBytesException if it is none
   */
  static ServedJob fromBytes(byte[] bytes) {
    return ServedJobBytes.read(bytes);
  }

  static ServedJob of(
      @Nullable ServedSlot epochs,
      @Nullable ServedSlot texts,
      @Nullable Long olderSince,
      boolean untold) {
    return new ServedJob(epochs, texts, olderSince == null ? NOT_HELD : olderSince, untold);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ServedJob that
        && Objects.equals(epochs, that.epochs)
        && Objects.equals(texts, that.texts)
        && olderSince == that.olderSince
        && untold == that.untold;
  }

  @Override
  public int hashCode() {
    return Objects.hash(epochs, texts, olderSince, untold);
  }
}
