package io.headgate.state;

import com.hazelcast.map.IMap;
import io.headgate.graph.Deadline;
import io.headgate.observe.Meters;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Bundle descriptors in a map of the cluster, one entry each, so that every gateway has them.
 * Answers come on the executor that was given.
 */
public final class ClusterDescriptors implements DescriptorStore {
  /** As many as there may be bundles about to start, and runners that ask. */
  private static final int MOST_CALLS = 256;

  /** Outlasts a frozen member, which counts as gone after five seconds. */
  private static final Duration DEADLINE = Duration.ofSeconds(8);

  private final Cluster cluster;
  private final StoreCalls calls;
  private final StoreCalls lists;

  /**
   * @param callbacks where answers are given, such as an event loop; it must not reject any
   */
  public ClusterDescriptors(Cluster cluster, Executor callbacks) {
    this.cluster = cluster;
    calls = cluster.calls("fn-descriptor", MOST_CALLS, callbacks);
    lists = cluster.calls("fn-descriptor-list", 1, callbacks);
  }

  @Override
  public CompletionStage<Registration> register(String id, byte[] descriptor) {
    CompletionStage<String> answer =
        calls
            .begin(
                () -> map().<String>submitToKey(id, new DescriptorRegister(descriptor)),
                Deadline.in(DEADLINE))
            .answer();
    return answer.thenApply(Registration::valueOf);
  }

  @Override
  public CompletionStage<byte @Nullable []> read(String id) {
    return calls.<byte @Nullable []>begin(() -> map().getAsync(id), Deadline.in(DEADLINE)).answer();
  }

  /** Blocks a thread that is there for such calls: there is no other way to go through a map. */
  @Override
  public CompletionStage<List<String>> list(String after, int most) {
    return lists
        .begin(
            () ->
                CompletableFuture.supplyAsync(
                    () -> map().aggregate(new DescriptorIds(after, most)), cluster.threads()),
            Deadline.in(DEADLINE))
        .answer();
  }

  @Override
  public CompletionStage<Boolean> remove(String id) {
    return calls
        .begin(
            () -> map().<Boolean>submitToKey(id, new RemoveEntry(StoreMaps.DESCRIPTORS)),
            Deadline.in(DEADLINE))
        .answer();
  }

  private IMap<String, byte[]> map() {
    return cluster.entries(StoreMaps.DESCRIPTORS);
  }

  /** Puts what it counts into {@code meters}. */
  public void observe(Meters meters) {
    calls.observe(meters);
    lists.observe(meters);
  }
}
