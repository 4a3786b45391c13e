package io.headgate.state;

import com.hazelcast.map.IMap;
import io.headgate.graph.Deadline;
import io.headgate.graph.Execution;
import io.headgate.graph.JobGraph;
import io.headgate.graph.NameForm;
import io.headgate.graph.Unavailability;
import io.headgate.observe.Meters;
import io.headgate.state.ServedJob.Verdict;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The fence of all gateways of a cluster: what one of them has served binds the others.
 *
 * <p>Asked before each fresh answer, at the member that owns the job. Where the cluster may not be
 * used, because it has not been joined or is too small, nothing is served. Where it does not answer
 * in time, this gateway decides by its own memory, which learns everything that the cluster has
 * decided for it.
 *
 * <p>Own memories are why a job moves on to another execution only when all other members have been
 * told: from then on none of them decides for that job without the cluster.
 */
public final class ClusterFence implements ExecutionFence {
  private static final Logger log = LoggerFactory.getLogger(ClusterFence.class);

  /** How long an answer may be held up by the cluster. */
  static final Duration PATIENCE = Duration.ofMillis(200);

  private static final int MOST_OPEN = 256;
  private static final long[] NO_IDS = {};

  private final Cluster cluster;
  private final FenceConfig config;
  private final InstantSource clock;
  private final InProcessFence own;
  private final Executor callbacks;
  private final Executor workers;
  private final Duration patience;
  private final StoreCalls calls;
  private final LongAdder refused = new LongAdder();
  private final LongAdder yielded = new LongAdder();
  private final LongAdder alone = new LongAdder();
  private final LongAdder told = new LongAdder();
  private final LongAdder undecided = new LongAdder();

  /**
   * @param clock of the day, not too far from that of other gateways
   * @param callbacks where the cluster's answers are noticed, such as an event loop; it must not
   *     reject any
   * @param workers where graphs are renumbered
   */
  public ClusterFence(
      Cluster cluster,
      FenceConfig config,
      InstantSource clock,
      Executor callbacks,
      Executor workers) {
    this(cluster, config, clock, callbacks, workers, PATIENCE);
  }

  ClusterFence(
      Cluster cluster,
      FenceConfig config,
      InstantSource clock,
      Executor callbacks,
      Executor workers,
      Duration patience) {
    this.cluster = cluster;
    this.config = config;
    this.clock = clock;
    this.callbacks = callbacks;
    this.workers = workers;
    this.patience = patience;
    own = new InProcessFence(config, System::nanoTime);
    calls = cluster.calls("fence", MOST_OPEN, callbacks);
  }

  @Override
  public CompletionStage<Passed> pass(
      JobGraph graph, Execution execution, @Nullable NameForm form) {
    byte[] digest = form == null ? null : form.digest();
    long[] ids = form == null ? NO_IDS : form.idsInNameOrder(graph);
    Question question = new Question(graph.jobId(), execution, digest, ids, clock.millis());
    return calls
        .begin(() -> ask(question), Deadline.in(patience))
        .answer()
        .handleAsync(
            (said, failure) ->
                failure == null
                    ? CompletableFuture.completedStage(passed(graph, form, said))
                    : without(StoreException.reason(failure), graph, execution, form),
            workers)
        .thenCompose(stage -> stage);
  }

  /** An answer that asks for passage, at some time. */
  private record Question(
      long jobId, Execution execution, byte @Nullable [] digest, long[] ids, long millis) {}

  private CompletionStage<FenceAnswer> ask(Question question) {
    return askOwner(question, false)
        .thenCompose(
            said -> said.untold() ? tellOthers(question) : CompletableFuture.completedStage(said));
  }

  private CompletionStage<FenceAnswer> tellOthers(Question question) {
    return cluster
        .tellOthers(question.jobId())
        .thenComposeAsync(
            all -> {
              told.increment();
              return askOwner(question, true);
            },
            callbacks);
  }

  private CompletionStage<FenceAnswer> askOwner(Question question, boolean othersTold) {
    IMap<Long, byte[]> map = cluster.map(StoreMaps.FENCE);
    long asked = cluster.moved().last();
    FencePass pass =
        new FencePass(
            question.execution(),
            question.digest(),
            question.ids(),
            config,
            question.millis(),
            othersTold);
    return map.submitToKey(question.jobId(), pass)
        .thenApplyAsync(
            bytes -> {
              FenceAnswer said = FenceAnswer.fromBytes(bytes);
              learn(question, asked, said); // even if nobody waits for it any more
              return said;
            },
            callbacks);
  }

  private void learn(Question question, long asked, FenceAnswer said) {
    long jobId = question.jobId();
    if (said.untold()) {
      cluster.moved().add(jobId);
    } else if (said.verdict() == Verdict.SERVE
        && cluster.unusable() == null
        && cluster.moved().settle(jobId, asked)) {
      long[] ids = said.ids() == null ? question.ids() : said.ids();
      own.record(jobId, question.execution(), question.digest(), ids);
    }
    if (said.yielded()) {
      yielded.increment();
      log.warn(
          "only an older execution of a job was seen for {}; it is served again", config.hold());
    }
  }

  private Passed passed(JobGraph graph, @Nullable NameForm form, FenceAnswer said) {
    if (said.verdict() == Verdict.OLDER) {
      refused.increment();
      return new Passed.Older();
    }
    long[] served = said.ids();
    return new Passed.Serve(form == null || served == null ? graph : form.renumber(graph, served));
  }

  private CompletionStage<Passed> without(
      Unavailability reason, JobGraph graph, Execution execution, @Nullable NameForm form) {
    Unavailability now = cluster.unusable();
    Passed refusal = new Passed.Refused(now == null ? reason : now);
    return switch (now == null ? reason : now) {
      case DEADLINE, STORE_BUSY, STORE_FAILED -> {
        long jobId = graph.jobId();
        if (own.movesOn(jobId, execution) || cluster.moved().contains(jobId)) {
          // Not all know of the other execution, or this gateway does not know how it went on.
          undecided.increment();
          yield CompletableFuture.completedStage(refusal);
        }
        alone.increment();
        yield own.pass(graph, execution, form);
      }
      default -> CompletableFuture.completedStage(refusal);
    };
  }

  /** How many answers this gateway's own memory decided, because the cluster did not. */
  long alone() {
    return alone.sum();
  }

  /** Puts what it counts into {@code meters}. */
  public void observe(Meters meters) {
    meters.gauge("headgate.fence.jobs", "Jobs remembered by this gateway.", own::jobs);
    meters.counter(
        "headgate.fence.refused",
        "Answers of older executions.",
        () -> refused.sum() + own.refused());
    meters.counter(
        "headgate.fence.yielded",
        "Older executions served again.",
        () -> yielded.sum() + own.yielded());
    meters.counter("headgate.fence.evicted", "Jobs forgotten early.", own::evicted);
    meters.counter("headgate.fence.alone", "Answers decided without the cluster.", this::alone);
    meters.counter("headgate.fence.told", "Moves that all others were told of.", told::sum);
    meters.counter("headgate.fence.undecided", "Answers refused around a move.", undecided::sum);
    meters.gauge("headgate.fence.moved", "Jobs heard to move on.", cluster.moved()::size);
    calls.observe(meters);
  }
}
