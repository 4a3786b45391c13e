package io.headgate.state;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.EntryProcessor;
import com.hazelcast.map.IMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * Holds the thread on which a member works on one part of its entries, until it is closed. To all
 * others that part hangs; the member's heart goes on beating.
 */
public final class HeldPart implements EntryProcessor<Long, byte[], String>, AutoCloseable {
  private final transient CountDownLatch held = new CountDownLatch(1);
  private final transient CountDownLatch released = new CountDownLatch(1);
  private transient @Nullable CompletionStage<String> done;

  private HeldPart() {}

  /** Holds the part with this entry, on the member that owns it. */
  static HeldPart of(TestMember owner, String map, long key) {
    return of(owner.hazelcast(), map, key);
  }

  /** Likewise. */
  public static HeldPart of(HazelcastInstance owner, String map, long key) {
    HeldPart part = new HeldPart();
    IMap<Long, byte[]> entries = owner.getMap(map);
    part.done = entries.submitToKey(key, part);
    await(part.held);
    return part;
  }

  @Override
  public String process(Map.Entry<Long, byte[]> entry) {
    held.countDown();
    await(released);
    return "released";
  }

  @Override
  public @Nullable EntryProcessor<Long, byte[], String> getBackupProcessor() {
    return null;
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    released.countDown();
    TestMember.await(done.toCompletableFuture());
  }
}
