package io.headgate.directory;

import io.headgate.graph.Call;
import io.headgate.graph.GraphCodec;
import io.headgate.graph.JobGraph;
import io.headgate.graph.JobStatus;
import io.headgate.wire.CapExceededException;
import java.time.Instant;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * How a Java service publishes its jobs' executions and graphs into the directory.
 *
 * <pre>{@code
 * publisher.started(42, 1, Instant.now());
 * publisher.graph(42, 1, graph);
 * publisher.transition(42, 1, JobStatus.RUNNING);
 * publisher.finished(42, 1, JobStatus.FINISHED);
 * }</pre>
 *
 * <p>Every method may be called on any thread, does not block, and may be repeated without harm:
 * each publication says all that is known of the state, so what one that failed had to say comes
 * with the next; only a graph has to be given again. Calls for one job take effect in the order in
 * which they were made. A stage completes on a thread of the store or on a worker, and must not
 * keep it; it completes exceptionally only for a fault of the gateway's own.
 *
 * <p>Bounded: past {@link #MAX_UNDER_WAY} publications that wait or are under way a further one is
 * {@link Outcome#BUSY} at once. Executions that were started here are remembered up to the jobs
 * that the directory holds; the least recently used goes first.
 */
public final class JobGraphPublisher {
  /** The most publications at once. Each holds its graph until it is encoded. */
  public static final int MAX_UNDER_WAY = OrderedCalls.MAX;

  /** What became of a call. */
  public enum Outcome {
    /** The directory says it now. */
    PUBLISHED,
    /** The directory said so already, or, for a removal, knew nothing. */
    UNCHANGED,
    /** A later execution of the job is known. */
    STALE_EPOCH,
    /** The execution has ended already. */
    ENDED,
    /** {@link #started} has not been called for this execution here, or long ago: call it again. */
    NOT_STARTED,
    /** The graph takes more bytes than the directory allows. */
    TOO_LARGE,
    /** The directory has no room. */
    FULL,
    /** Too many publications are under way; this one was not begun. */
    BUSY,
    /** The cluster did not take it, or did not say so in time: try again. */
    UNAVAILABLE
  }

  private final JobDirectory directory;
  private final DirectoryConfig config;
  private final OrderedCalls<Outcome> calls;
  private final Map<Outcome, LongAdder> counts = new EnumMap<>(Outcome.class);

  // Guarded by this; access order, so that the first entry is the least recently used.
  private final Map<Long, Started> started = new LinkedHashMap<>(16, 0.75f, true);

  /** What was last said of a job's latest execution. */
  private record Started(long epoch, Instant createdAt, JobStatus status) {
    Started in(JobStatus other) {
      return new Started(epoch, createdAt, other);
    }
  }

  /**
   * @param config for the most bytes a graph may take, and the jobs to remember
   * @param workers where graphs are encoded, one at a time
   */
  public JobGraphPublisher(JobDirectory directory, DirectoryConfig config, Executor workers) {
    this.directory = directory;
    this.config = config;
    this.calls = new OrderedCalls<>(workers, Outcome.UNAVAILABLE);
    for (Outcome outcome : Outcome.values()) {
      counts.put(outcome, new LongAdder());
    }
  }

  /**
   * An execution has begun. It takes the place of an earlier one of the same job, whether that was
   * ended or not. A service that was restarted calls it again for what still runs, and then says in
   * which state that is.
   *
   * @param jobId positive
   * @param epoch positive, and larger than that of any execution of the job before
   * @param createdAt when it began; what is said first stays
   */
  public CompletionStage<Outcome> started(long jobId, long epoch, Instant createdAt) {
    return publish(jobId, epoch, createdAt, null, null);
  }

  /** The graph of an execution that was started; it takes the place of one given before. */
  public CompletionStage<Outcome> graph(long jobId, long epoch, JobGraph graph) {
    if (graph.jobId() != jobId) {
      throw new IllegalArgumentException("a graph of another job");
    }
    return publish(jobId, epoch, null, null, graph);
  }

  /** An execution that was started is in another state. */
  public CompletionStage<Outcome> transition(long jobId, long epoch, JobStatus status) {
    return publish(jobId, epoch, null, status, null);
  }

  /**
   * An execution that was started is over; its state and graph are kept for a while.
   *
   * @param endStatus a state that {@link JobStatus#isEnd is an end}
   */
  public CompletionStage<Outcome> finished(long jobId, long epoch, JobStatus endStatus) {
    if (!endStatus.isEnd()) {
      throw new IllegalArgumentException(endStatus + " is no end");
    }
    return publish(jobId, epoch, null, endStatus, null);
  }

  /** Everything about a job is to be forgotten, its epochs included. */
  public CompletionStage<Outcome> removed(long jobId) {
    CompletableFuture<Outcome> answer;
    synchronized (this) {
      answer = calls.offer(jobId, () -> directory.remove(jobId).map(JobGraphPublisher::removal));
      if (answer != null) {
        started.remove(jobId);
      }
    }
    return begun(answer);
  }

  private CompletionStage<Outcome> publish(
      long jobId,
      long epoch,
      @Nullable Instant start,
      @Nullable JobStatus status,
      @Nullable JobGraph graph) {
    if (jobId <= 0 || epoch <= 0) {
      throw new IllegalArgumentException("job id and epoch are positive");
    }
    CompletableFuture<Outcome> answer;
    synchronized (this) {
      Started known = started.get(jobId);
      if (known != null && epoch < known.epoch) {
        return counted(CompletableFuture.completedStage(Outcome.STALE_EPOCH));
      }
      if (start != null && (known == null || epoch > known.epoch)) {
        known = new Started(epoch, start, JobStatus.CREATED);
      }
      if (known == null || epoch != known.epoch) {
        return counted(CompletableFuture.completedStage(Outcome.NOT_STARTED));
      }
      Started next = status == null ? known : known.in(status);
      if (known.status.isEnd() && !next.status.isEnd()) {
        return counted(CompletableFuture.completedStage(Outcome.ENDED));
      }
      answer = calls.offer(jobId, () -> send(jobId, next, graph));
      if (answer != null) {
        remember(jobId, next);
      }
    }
    return begun(answer);
  }

  private void remember(long jobId, Started state) {
    started.put(jobId, state);
    if (started.size() > config.jobs()) {
      started.remove(started.keySet().iterator().next());
    }
  }

  private CompletionStage<Outcome> begun(@Nullable CompletableFuture<Outcome> answer) {
    if (answer == null) {
      return counted(CompletableFuture.completedStage(Outcome.BUSY));
    }
    CompletionStage<Outcome> outcome =
        counted(answer.exceptionally(JobGraphPublisher::unavailable));
    calls.work();
    return outcome;
  }

  private CompletionStage<Outcome> counted(CompletionStage<Outcome> answer) {
    return answer.thenApply(
        outcome -> {
          Objects.requireNonNull(counts.get(outcome)).increment();
          return outcome;
        });
  }

  /** Encodes and sends one publication, on a worker. */
  private Call<Outcome> send(long jobId, Started state, @Nullable JobGraph graph) {
    byte[] bytes = null;
    if (graph != null) {
      try {
        bytes = GraphCodec.encode(graph, config.bodyBytes());
      } catch (CapExceededException e) {
        return Call.of(Outcome.TOO_LARGE);
      }
    }
    return directory
        .publish(new Publication(jobId, state.epoch, state.status, state.createdAt, bytes))
        .map(JobGraphPublisher::publication);
  }

  private static Outcome publication(PublishOutcome outcome) {
    return switch (outcome) {
      case PUBLISHED -> Outcome.PUBLISHED;
      case UNCHANGED -> Outcome.UNCHANGED;
      case STALE_EPOCH -> Outcome.STALE_EPOCH;
      case ENDED -> Outcome.ENDED;
      case FULL -> Outcome.FULL;
    };
  }

  private static Outcome removal(Boolean known) {
    return known ? Outcome.PUBLISHED : Outcome.UNCHANGED;
  }

  private static Outcome unavailable(Throwable failure) {
    Throwable cause = failure.getCause() == null ? failure : failure.getCause();
    if (cause instanceof DirectoryUnavailableException) {
      return Outcome.UNAVAILABLE;
    }
    throw failure instanceof CompletionException known ? known : new CompletionException(failure);
  }

  /** How many calls ended so. */
  public long count(Outcome outcome) {
    return Objects.requireNonNull(counts.get(outcome)).sum();
  }

  /** How many publications wait or are under way. */
  public int underWay() {
    return calls.underWay();
  }

  /** Of how many jobs an execution is remembered. */
  public synchronized int jobs() {
    return started.size();
  }
}
