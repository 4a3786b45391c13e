package io.headgate.state;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.map.EntryProcessor;
import io.headgate.graph.Execution;
import io.headgate.state.ServedJob.Passage;
import io.headgate.state.ServedJob.Verdict;
import io.headgate.wire.PackedReader;
import io.headgate.wire.PackedWriter;
import io.headgate.wire.UnreadableBytesException;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Asks for one answer's passage where its job is owned, which is the one place where all gateways
 * meet: reads what is remembered, judges, and remembers, in one step. May run twice.
 *
 * <p>Where the job moves on to another execution, the first time only says so, and whoever asks
 * tells all other gateways before it asks again. What is untold stays so until one has done that,
 * whichever it is.
 */
final class FencePass implements EntryProcessor<Long, byte[], byte[]>, HazelcastInstanceAware {
  private static final long serialVersionUID = 1L;
  private static final int VERSION = 1;
  private static final byte[] NO_DIGEST = {};

  private final transient Execution execution;
  private final transient byte @Nullable [] digest;
  private final transient long[] ids;
  private final transient FenceConfig config;
  private final transient long nowMillis;
  private final transient boolean told;

  private transient @Nullable MapFill fill;
  private transient @Nullable SetEntry change;

  /**
   * @param config only skew and hold are used
   * @param nowMillis the asking gateway's clock
   * @param told whether all other gateways have been told that the job has moved on
   */
  FencePass(
      Execution execution,
      byte @Nullable [] digest,
      long[] ids,
      FenceConfig config,
      long nowMillis,
      boolean told) {
    this.execution = execution;
    this.digest = digest;
    this.ids = ids;
    this.config = config;
    this.nowMillis = nowMillis;
    this.told = told;
  }

  @Override
  public void setHazelcastInstance(HazelcastInstance member) {
    fill = MapFill.of(member, StoreMaps.FENCE);
  }

  /** Where there is no room in {@code owner}, no numbering is kept. */
  FencePass keepWithin(MapFill owner) {
    fill = owner;
    return this;
  }

  @Override
  public byte[] process(Map.Entry<Long, byte[]> entry) {
    byte[] stored = entry.getValue();
    ServedJob job = read(stored);
    Passage passage = ServedJob.pass(job, execution, digest, ids, config, nowMillis);
    boolean served = passage.verdict() == Verdict.SERVE;
    boolean moves = job != null && (job.untold() || !job.isOn(execution));
    boolean untold = served && moves && !told;
    ServedJob next = served ? passage.next().untold(untold) : passage.next();
    change = null;
    if (next != job) {
      remember(entry, job, stored, next);
    }
    if (change == null && stored != null && served && (untold || told)) {
      change = new SetEntry(stored, 0);
    }
    return new FenceAnswer(passage.verdict(), passage.yielded(), passage.ids(), untold).toBytes();
  }

  private void remember(
      Map.Entry<Long, byte[]> entry,
      @Nullable ServedJob job,
      byte @Nullable [] stored,
      ServedJob next) {
    byte[] bytes = next.toBytes();
    int had = stored == null ? 0 : stored.length;
    if (fill != null && !fill.hasRoomFor(bytes.length - had)) {
      ServedJob bare = next.withoutNumberings();
      if (bare.equals(job)) {
        return;
      }
      bytes = bare.toBytes();
    }
    change = new SetEntry(bytes, 0).apply(entry);
    if (fill != null) {
      fill.changedBy(bytes.length - had);
    }
  }

  /** What can't be read is as good as forgotten: the fence is a memory, not a record. */
  private static @Nullable ServedJob read(byte @Nullable [] stored) {
    try {
      return stored == null ? null : ServedJob.fromBytes(stored);
    } catch (UnreadableBytesException e) {
      return null;
    }
  }

  /**
   * Nothing to copy if nothing has changed, as nearly always: that keeps passages quick. If the
   * copy was lost before and the owner is lost now, the job is as good as forgotten, or its
   * numbering is. Only a job that moves on is copied again, as nobody may go back behind that.
   */
  @Override
  @SuppressWarnings({"unchecked", "rawtypes"}) // nobody looks at what a copy returns
  public @Nullable EntryProcessor<Long, byte[], byte[]> getBackupProcessor() {
    return (EntryProcessor) change;
  }

  byte[] toBytes() {
    PackedWriter out = new PackedWriter(128 + 2 * ids.length, Integer.MAX_VALUE);
    out.octet(VERSION);
    out.bytes(ServedJobBytes.execution(execution));
    out.bytes(digest == null ? NO_DIGEST : digest);
    ServedJobBytes.putIds(ids, out);
    out.number(config.skew().toMillis());
    out.number(config.hold().toMillis());
    out.number(nowMillis);
    if (told) {
      out.octet(1);
    }
    return out.toByteArray();
  }

  static FencePass fromBytes(byte[] bytes) {
    PackedReader in = new PackedReader(bytes);
    in.octet(); // so far there is nothing that the version would have to tell
    Execution execution = ServedJobBytes.execution(in.part());
    byte[] digest = in.bytes();
    long[] ids = ServedJobBytes.ids(in);
    FenceConfig config =
        new FenceConfig(
            FenceConfig.DEFAULT.jobs(),
            Duration.ofMillis(in.number()),
            Duration.ofMillis(in.number()));
    long nowMillis = in.number();
    return new FencePass(
        execution,
        digest.length == 0 ? null : digest,
        ids,
        config,
        nowMillis,
        in.hasMore() && in.octet() == 1);
  }
}
