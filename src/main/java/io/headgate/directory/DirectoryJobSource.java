package io.headgate.directory;

import io.headgate.graph.Call;
import io.headgate.graph.Deadline;
import io.headgate.graph.GraphLimits;
import io.headgate.graph.JobGraphSource;
import io.headgate.graph.JobLister;
import io.headgate.graph.JobListing;
import io.headgate.graph.Lookup;
import io.headgate.graph.Unavailability;
import java.time.InstantSource;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The directory as a source: one read a lookup. Its methods may be called on any thread; graphs are
 * decoded on {@code workers}.
 */
public final class DirectoryJobSource implements JobGraphSource, JobLister {
  private final JobDirectory directory;
  private final GraphLimits limits;
  private final InstantSource clock;
  private final Executor workers;

  /**
   * @param limits of the graphs that are served, whatever they were published under
   * @param clock of the day, to tell what has expired
   */
  public DirectoryJobSource(
      JobDirectory directory, GraphLimits limits, InstantSource clock, Executor workers) {
    this.directory = directory;
    this.limits = limits;
    this.clock = clock;
    this.workers = workers;
  }

  @Override
  public Call<Lookup> lookup(long jobId, Deadline deadline) {
    Call<@Nullable JobRecord> read = directory.read(jobId, deadline);
    CompletionStage<Lookup> answer =
        read.answer()
            .thenApplyAsync(this::meaning, workers)
            .exceptionally(failure -> new Lookup.Unavailable(reason(failure)));
    return new Call<>(answer, answer.handle((a, e) -> read.ended()).thenCompose(stage -> stage));
  }

  @Override
  public Call<JobListing> list(int most, Deadline deadline) {
    Call<JobListing.Read> read = directory.list(most, deadline);
    CompletionStage<JobListing> answer =
        read.answer()
            .<JobListing>thenApply(listing -> listing)
            .exceptionally(failure -> new JobListing.Unavailable(reason(failure)));
    return new Call<>(answer, answer.handle((a, e) -> read.ended()).thenCompose(stage -> stage));
  }

  private Lookup meaning(@Nullable JobRecord record) {
    return record == null ? new Lookup.NotFound() : record.lookup(clock.millis(), limits);
  }

  private static Unavailability reason(Throwable failure) {
    Throwable cause = failure.getCause() == null ? failure : failure.getCause();
    if (cause instanceof DirectoryUnavailableException unavailable) {
      return unavailable.reason();
    }
    throw failure instanceof CompletionException known ? known : new CompletionException(failure);
  }
}
