package io.headgate.state;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.map.EntryProcessor;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import io.headgate.directory.JobRecord;
import io.headgate.directory.Publication;
import io.headgate.directory.PublishOutcome;
import io.headgate.wire.PackedReader;
import io.headgate.wire.PackedWriter;
import io.headgate.wire.UnreadableBytesException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Applies a publication to its job's record where the job is owned: reads, decides and writes in
 * one step, so that nobody sees half of it. May run twice.
 *
 * <p>If the owner finds nothing to change, the publication may have come before and have been lost
 * on its way to the copy. Then the copy gets the record again, so that what is acknowledged is
 * never in one place only.
 */
final class DirectoryPublish
    implements EntryProcessor<Long, byte[], String>, HazelcastInstanceAware {
  private static final long serialVersionUID = 1L;
  private static final int VERSION = 1;

  private final transient Publication publication;
  private final transient long nowMillis;
  private final transient long historyMillis;

  private transient @Nullable MapFill fill;
  private transient @Nullable SetEntry change;

  /**
   * @param nowMillis the publishing gateway's clock
   * @param historyMillis how long the record of an ended execution is kept
   */
  DirectoryPublish(Publication publication, long nowMillis, long historyMillis) {
    this.publication = publication;
    this.nowMillis = nowMillis;
    this.historyMillis = historyMillis;
  }

  @Override
  public void setHazelcastInstance(HazelcastInstance member) {
    fill = MapFill.of(member, StoreMaps.DIRECTORY);
  }

  /** The name of the outcome. */
  @Override
  public String process(Map.Entry<Long, byte[]> entry) {
    byte[] stored = entry.getValue();
    JobRecord known = read(stored);
    JobRecord.Change next = JobRecord.publish(known, publication, nowMillis, historyMillis);
    change = null;
    if (next.outcome() == PublishOutcome.UNCHANGED) {
      change = new SetEntry(stored, ttlMillis(next.record()));
    }
    if (next.outcome() != PublishOutcome.PUBLISHED) {
      return next.outcome().name();
    }
    byte[] bytes = next.record().toBytes();
    int had = stored == null ? 0 : stored.length;
    if (isLarger(next.record(), known) && fill != null && !fill.hasRoomFor(bytes.length - had)) {
      return PublishOutcome.FULL.name();
    }
    change = new SetEntry(bytes, ttlMillis(next.record())).apply(entry);
    if (fill != null) {
      fill.changedBy(bytes.length - had);
    }
    return next.outcome().name();
  }

  /**
   * A change of state needs a few bytes more and is always taken: else a job could not end where
   * there is no room.
   */
  private static boolean isLarger(JobRecord next, @Nullable JobRecord known) {
    return known == null || next.graphBytes() > known.graphBytes();
  }

  private long ttlMillis(JobRecord record) {
    long expiresAt = record.expiresAtMillis();
    return expiresAt == Long.MAX_VALUE ? 0 : Math.max(1, expiresAt - nowMillis);
  }

  /** A record is never taken for missing because it can't be read. */
  private static @Nullable JobRecord read(byte @Nullable [] stored) {
    try {
      return stored == null ? null : JobRecord.fromBytes(stored);
    } catch (UnreadableBytesException e) {
      throw new HazelcastSerializationException("unreadable record");
    }
  }

  /** Nothing to copy of what is refused. */
  @Override
  @SuppressWarnings({"unchecked", "rawtypes"}) // nobody looks at what a copy returns
  public @Nullable EntryProcessor<Long, byte[], String> getBackupProcessor() {
    return (EntryProcessor) change;
  }

  byte[] toBytes() {
    byte[] said = publication.toBytes();
    PackedWriter out = new PackedWriter(32 + said.length, Integer.MAX_VALUE);
    out.octet(VERSION);
    out.bytes(said);
    out.number(nowMillis);
    out.number(historyMillis);
    return out.toByteArray();
  }

  static DirectoryPublish fromBytes(byte[] bytes) {
    PackedReader in = new PackedReader(bytes);
    in.octet(); // so far there is nothing that the version would have to tell
    return new DirectoryPublish(Publication.fromBytes(in.bytes()), in.number(), in.number());
  }
}
