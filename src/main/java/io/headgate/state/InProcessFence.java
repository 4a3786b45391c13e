package io.headgate.state;

import io.headgate.graph.Execution;
import io.headgate.graph.JobGraph;
import io.headgate.graph.NameForm;
import io.headgate.observe.Meters;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The fence of one gateway, in its own memory. {@link ServedJob} has the rules.
 *
 * <p>Jobs are bounded by number and numberings by the ids they hold; the least recently used job
 * goes first. A job that was let go is unknown again: its next answer may be of any execution and
 * keeps the engine's numbering.
 */
public final class InProcessFence implements ExecutionFence {
  private static final Logger log = LoggerFactory.getLogger(InProcessFence.class);

  /** 32 MiB of ids: 84,000 jobs of 50 nodes, or the 400 largest ones. */
  private static final long MAX_IDS = 4L * 1024 * 1024;

  private static final long[] NO_IDS = {};

  private final FenceConfig config;
  private final LongSupplier nanoClock;
  private final long startNanos;
  private final LongAdder refused = new LongAdder();
  private final LongAdder yielded = new LongAdder();
  private final LongAdder evicted = new LongAdder();

  // Guarded by this. Access order, so that the first entry is the least recently used.
  private final LinkedHashMap<Long, ServedJob> jobs = new LinkedHashMap<>(16, 0.75f, true);
  private long idsHeld;

  /**
   * @param nanoClock a clock like {@link System#nanoTime()}
   */
  public InProcessFence(FenceConfig config, LongSupplier nanoClock) {
    this.config = config;
    this.nanoClock = nanoClock;
    this.startNanos = nanoClock.getAsLong();
  }

  @Override
  public CompletionStage<Passed> pass(
      JobGraph graph, Execution execution, @Nullable NameForm form) {
    byte[] digest = form == null ? null : form.digest();
    long[] own = form == null ? NO_IDS : form.idsInNameOrder(graph);
    // The clock of nanoTime may wrap; what has passed since a start does not.
    long now = TimeUnit.NANOSECONDS.toMillis(nanoClock.getAsLong() - startNanos);
    ServedJob.Passage passage;
    synchronized (this) {
      ServedJob job = jobs.get(graph.jobId());
      passage = ServedJob.pass(job, execution, digest, own, config, now);
      keep(graph.jobId(), job, passage.next());
    }
    if (passage.verdict() == ServedJob.Verdict.OLDER) {
      refused.increment();
      return CompletableFuture.completedStage(new Passed.Older());
    }
    if (passage.yielded()) {
      yielded.increment();
      log.warn(
          "only an older execution of a job was seen for {}; it is served again", config.hold());
    }
    long[] served = passage.ids();
    JobGraph renumbered = form == null || served == null ? graph : form.renumber(graph, served);
    return CompletableFuture.completedStage(new Passed.Serve(renumbered));
  }

  /** Whether this would be the first answer of its execution, after one of another. */
  synchronized boolean movesOn(long jobId, Execution execution) {
    ServedJob job = jobs.get(jobId);
    return job != null && job.movesOnTo(execution, config);
  }

  /**
   * Remembers an answer that another fence has let pass.
   *
   * @param digest of its name form, or null where names are not unique
   * @param ids it was served under, in the order of the names
   */
  void record(long jobId, Execution execution, byte @Nullable [] digest, long[] ids) {
    synchronized (this) {
      ServedJob job = jobs.get(jobId);
      keep(jobId, job, ServedJob.after(job, execution, digest, ids, config));
    }
  }

  private void keep(long jobId, @Nullable ServedJob before, ServedJob after) {
    if (after == before) {
      return;
    }
    idsHeld += after.idCount() - (before == null ? 0 : before.idCount());
    jobs.put(jobId, after);
    while (jobs.size() > config.jobs() || idsHeld > MAX_IDS && jobs.size() > 1) {
      Map.Entry<Long, ServedJob> eldest = jobs.entrySet().iterator().next();
      idsHeld -= eldest.getValue().idCount();
      jobs.remove(eldest.getKey());
      evicted.increment();
    }
  }

  /** How many jobs are remembered. */
  public synchronized int jobs() {
    return jobs.size();
  }

  /** How many answers were refused because their execution is older. */
  public long refused() {
    return refused.sum();
  }

  /** How often the fence gave way to an older execution. */
  public long yielded() {
    return yielded.sum();
  }

  /** How many jobs were let go because of the bounds. */
  public long evicted() {
    return evicted.sum();
  }

  /** Puts what it counts into {@code meters}. */
  public void observe(Meters meters) {
    meters.gauge("headgate.fence.jobs", "Jobs remembered by this gateway.", this::jobs);
    meters.counter("headgate.fence.refused", "Answers of older executions.", this::refused);
    meters.counter("headgate.fence.yielded", "Older executions served again.", this::yielded);
    meters.counter("headgate.fence.evicted", "Jobs forgotten early.", this::evicted);
  }
}
