package io.headgate.state;

import io.headgate.graph.Execution;
import io.headgate.graph.JobGraph;
import io.headgate.graph.NameForm;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The fence of one gateway, in its own memory.
 *
 * <h2>What is remembered of a job</h2>
 *
 * The execution served last, the few it replaced, and the numbering served last: a digest of the
 * name form and the ids in the order of the names. No names, no bytes.
 *
 * <h2>Which execution is older</h2>
 *
 * One that certainly began earlier by its creation time, and one that was itself served and then
 * replaced: creation times less than the skew apart say nothing, but what has been replaced before
 * can't be new. If for the length of the hold nothing but the older one is seen, it is served
 * again.
 *
 * <h2>Bounds</h2>
 *
 * Jobs are bounded by number and numberings by the ids they hold; the least recently used job goes
 * first. A job that was let go is unknown again: its next answer may be of any execution and keeps
 * the engine's numbering.
 */
public final class InProcessFence implements ExecutionFence {
  private static final Logger log = LoggerFactory.getLogger(InProcessFence.class);

  /** Executions of a job that were replaced; engines seldom resume one job more often in 2 h. */
  private static final int REPLACED = 4;

  /** 32 MiB of ids: 84,000 jobs of 50 nodes, or the 400 largest ones. */
  private static final long MAX_IDS = 4L * 1024 * 1024;

  private static final long NOT_HELD = Long.MIN_VALUE;

  private final FenceConfig config;
  private final LongSupplier nanoClock;
  private final LongAdder refused = new LongAdder();
  private final LongAdder yielded = new LongAdder();
  private final LongAdder evicted = new LongAdder();

  // Guarded by this. Access order, so that the first entry is the least recently used.
  private final LinkedHashMap<Long, Served> jobs = new LinkedHashMap<>(16, 0.75f, true);
  private long idsHeld;

  /**
   * @param nanoClock a clock like {@link System#nanoTime()}
   */
  public InProcessFence(FenceConfig config, LongSupplier nanoClock) {
    this.config = config;
    this.nanoClock = nanoClock;
  }

  private static final class Served {
    Execution execution;
    final @Nullable Execution[] replaced = new Execution[REPLACED];
    int replacements;
    long olderSince = NOT_HELD;
    byte @Nullable [] digest;
    long[] ids = {};

    Served(Execution execution) {
      this.execution = execution;
    }

    boolean isOlder(Execution candidate, FenceConfig config) {
      if (execution.isOlderThan(candidate, config.skew())) {
        return false; // it was replaced when the fence yielded, and is back
      }
      return candidate.isOlderThan(execution, config.skew())
          || Arrays.asList(replaced).contains(candidate);
    }

    void replaceBy(Execution next) {
      replaced[replacements++ % REPLACED] = execution;
      for (int i = 0; i < REPLACED; i++) {
        if (next.equals(replaced[i])) {
          replaced[i] = null;
        }
      }
      execution = next;
      olderSince = NOT_HELD;
      digest = null;
    }
  }

  @Override
  public CompletionStage<Passed> pass(
      JobGraph graph, Execution execution, @Nullable NameForm form) {
    return CompletableFuture.completedStage(passNow(graph, execution, form));
  }

  private Passed passNow(JobGraph graph, Execution execution, @Nullable NameForm form) {
    long[] served;
    synchronized (this) {
      Served job = jobs.get(graph.jobId());
      if (job == null) {
        job = new Served(execution);
        jobs.put(graph.jobId(), job);
      } else if (job.execution.equals(execution)) {
        job.olderSince = NOT_HELD;
      } else if (job.isOlder(execution, config) && isHeld(job)) {
        refused.increment();
        return new Passed.Older();
      } else {
        job.replaceBy(execution);
      }
      served = numbering(job, graph, form);
      trim();
    }
    return new Passed.Serve(form == null ? graph : form.renumber(graph, served));
  }

  private boolean isHeld(Served job) {
    long now = nanoClock.getAsLong();
    if (job.olderSince == NOT_HELD) {
      job.olderSince = now;
    }
    if (now - job.olderSince < config.hold().toNanos()) {
      return true;
    }
    yielded.increment();
    log.warn("only an older execution of a job was seen for {}; it is served again", config.hold());
    return false;
  }

  private long[] numbering(Served job, JobGraph graph, @Nullable NameForm form) {
    byte[] digest = form == null ? null : form.digest();
    if (digest == null || !Arrays.equals(digest, job.digest)) {
      idsHeld -= job.ids.length;
      job.digest = digest;
      job.ids = form == null ? new long[0] : form.idsInNameOrder(graph);
      idsHeld += job.ids.length;
    }
    return job.ids;
  }

  private void trim() {
    while (jobs.size() > config.jobs() || idsHeld > MAX_IDS && jobs.size() > 1) {
      Map.Entry<Long, Served> eldest = jobs.entrySet().iterator().next();
      idsHeld -= eldest.getValue().ids.length;
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
}
