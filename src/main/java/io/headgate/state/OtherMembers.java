package io.headgate.state;

import com.hazelcast.cluster.Member;
import com.hazelcast.config.Config;
import com.hazelcast.config.ExecutorConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The other members of a cluster, as the lease asks them. */
final class OtherMembers implements Lease.Others {
  private static final String EXECUTOR = "headgate.lease";

  /** Questions that a member keeps waiting; the largest cluster asks fewer. */
  private static final int QUEUE = 256;

  private final Supplier<@Nullable HazelcastInstance> joined;

  /**
   * @param joined this member, or null while it is not joined
   */
  OtherMembers(Supplier<@Nullable HazelcastInstance> joined) {
    this.joined = joined;
  }

  /**
   * What a member needs to answer.
   *
   * @param merging whether it is bringing what it kept into another part of its cluster
   */
  static void addTo(Config config, BooleanSupplier merging) {
    config.getUserContext().put(CountedQuestion.MERGING, merging);
    config.addExecutorConfig(
        new ExecutorConfig(EXECUTOR, 1).setQueueCapacity(QUEUE).setStatisticsEnabled(false));
    config
        .getSerializationConfig()
        .addDataSerializableFactory(WireTypes.FACTORY, WireTypes::create);
  }

  /** Blocks for a moment, so that the first question does not. */
  static void prepare(HazelcastInstance started) {
    started.getExecutorService(EXECUTOR);
  }

  @Override
  public Collection<UUID> known() {
    HazelcastInstance here = joined.get();
    try {
      return here == null
          ? List.of()
          : here.getCluster().getMembers().stream()
              .filter(member -> !member.localMember())
              .map(Member::getUuid)
              .toList();
    } catch (HazelcastInstanceNotActiveException e) {
      return List.of();
    }
  }

  @Override
  public CompletionStage<Boolean> ask(UUID member) {
    HazelcastInstance here = joined.get();
    try {
      if (here != null) {
        Set<Member> members = here.getCluster().getMembers();
        for (Member other : members) {
          if (other.getUuid().equals(member)) {
            return ask(here, other);
          }
        }
      }
      return CompletableFuture.completedStage(false);
    } catch (RuntimeException e) { // it has just left, or we have
      return CompletableFuture.failedStage(e);
    }
  }

  private static CompletionStage<Boolean> ask(HazelcastInstance here, Member other) {
    CountedQuestion question = new CountedQuestion(here.getCluster().getLocalMember().getUuid());
    Future<Boolean> answer = here.getExecutorService(EXECUTOR).submitToMember(question, other);
    if (answer instanceof CompletionStage<?> stage) {
      return stage.thenApply(Boolean.TRUE::equals);
    }
    throw new IllegalStateException("Hazelcast gives no stage");
  }
}
