package io.headgate.state;

import com.hazelcast.cluster.Member;
import com.hazelcast.config.Config;
import com.hazelcast.config.ExecutorConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import io.headgate.graph.Unavailability;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The other members of a cluster: the lease asks them, and the fence tells them of moves. */
final class OtherMembers implements Lease.Others {
  private static final String EXECUTOR = "headgate.lease";

  /** Questions that a member keeps waiting; the largest cluster asks fewer. */
  private static final int QUEUE = 256;

  private static final String NOTICES = "headgate.fence";

  /** Notices that a member keeps waiting: all that four other gateways have open. */
  private static final int MOST_NOTICES = 1_024;

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
   * @param moved where it notes what it is told
   */
  static void addTo(Config config, BooleanSupplier merging, MovedJobs moved) {
    config.getUserContext().put(CountedQuestion.MERGING, merging);
    config.getUserContext().put(MoveNotice.NOTED, moved);
    config.addExecutorConfig(
        new ExecutorConfig(EXECUTOR, 1).setQueueCapacity(QUEUE).setStatisticsEnabled(false));
    config.addExecutorConfig(
        new ExecutorConfig(NOTICES, 1).setQueueCapacity(MOST_NOTICES).setStatisticsEnabled(false));
    config
        .getSerializationConfig()
        .addDataSerializableFactory(WireTypes.FACTORY, WireTypes::create);
  }

  /** Blocks for a moment, so that the first question does not. */
  static void prepare(HazelcastInstance started) {
    started.getExecutorService(EXECUTOR);
    started.getExecutorService(NOTICES);
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
    return submit(here, EXECUTOR, question, other);
  }

  /**
   * Tells each of them that a job moves on to another execution.
   *
   * @return completes when all have noted it that have not left meanwhile and are not about to;
   *     fails if one has not
   */
  CompletionStage<?> tell(long jobId) {
    HazelcastInstance here = joined.get();
    if (here == null) {
      return CompletableFuture.failedStage(new HazelcastInstanceNotActiveException());
    }
    try {
      return CompletableFuture.allOf(
          here.getCluster().getMembers().stream()
              .filter(member -> !member.localMember())
              .map(member -> tell(here, jobId, member))
              .toArray(CompletableFuture[]::new));
    } catch (RuntimeException e) { // one has just left, or we have
      return CompletableFuture.failedStage(e);
    }
  }

  private static CompletableFuture<?> tell(HazelcastInstance here, long jobId, Member other) {
    return submit(here, NOTICES, new MoveNotice(jobId), other)
        .handle(
            (noted, failure) -> {
              if (failure == null && !noted) {
                throw new StoreException(Unavailability.STORE_FAILED);
              }
              if (failure != null && !isLeaving(here, other, failure)) {
                throw new CompletionException(StoreException.cause(failure));
              }
              return noted;
            })
        .toCompletableFuture();
  }

  /** One that is about to leave serves nothing any more. */
  private static boolean isLeaving(HazelcastInstance here, Member other, Throwable failure) {
    return StoreException.cause(failure) instanceof HazelcastInstanceNotActiveException
        || !here.getCluster().getMembers().contains(other);
  }

  private static CompletionStage<Boolean> submit(
      HazelcastInstance here, String executor, Callable<Boolean> task, Member other) {
    Future<Boolean> answer = here.getExecutorService(executor).submitToMember(task, other);
    if (answer instanceof CompletionStage<?> stage) {
      return stage.thenApply(Boolean.TRUE::equals);
    }
    throw new IllegalStateException("Hazelcast gives no stage");
  }
}
