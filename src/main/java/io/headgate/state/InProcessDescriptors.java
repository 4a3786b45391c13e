package io.headgate.state;

import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Descriptors of a gateway that is not in a cluster: kept in this process, gone with it. Safe on
 * any thread.
 */
public final class InProcessDescriptors implements DescriptorStore {
  private final int most;
  private final long mostBytes;
  private final TreeMap<String, byte[]> descriptors = new TreeMap<>();
  private long bytes;

  /**
   * @param most how many are kept
   * @param mostBytes how many bytes they have together
   */
  public InProcessDescriptors(int most, long mostBytes) {
    this.most = most;
    this.mostBytes = mostBytes;
  }

  @Override
  public synchronized CompletionStage<Registration> register(String id, byte[] descriptor) {
    return CompletableFuture.completedStage(put(id, descriptor));
  }

  private Registration put(String id, byte[] descriptor) {
    byte[] kept = descriptors.get(id);
    if (kept != null) {
      return Arrays.equals(kept, descriptor) ? Registration.UNCHANGED : Registration.CONFLICT;
    }
    if (descriptors.size() >= most || bytes + descriptor.length > mostBytes) {
      return Registration.FULL;
    }
    descriptors.put(id, descriptor.clone());
    bytes += descriptor.length;
    return Registration.REGISTERED;
  }

  @Override
  public synchronized CompletionStage<byte @Nullable []> read(String id) {
    return CompletableFuture.<byte @Nullable []>completedStage(descriptors.get(id));
  }

  @Override
  public synchronized CompletionStage<List<String>> list(String after, int limit) {
    return CompletableFuture.completedStage(
        descriptors.tailMap(after, false).keySet().stream().limit(limit).toList());
  }

  @Override
  public synchronized CompletionStage<Boolean> remove(String id) {
    byte[] removed = descriptors.remove(id);
    if (removed != null) {
      bytes -= removed.length;
    }
    return CompletableFuture.completedStage(removed != null);
  }
}
