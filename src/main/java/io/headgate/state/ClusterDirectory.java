package io.headgate.state;

import com.hazelcast.map.IMap;
import io.headgate.directory.DirectoryConfig;
import io.headgate.directory.DirectoryUnavailableException;
import io.headgate.directory.JobDirectory;
import io.headgate.directory.JobRecord;
import io.headgate.directory.Publication;
import io.headgate.directory.PublishOutcome;
import io.headgate.graph.Call;
import io.headgate.graph.Deadline;
import io.headgate.graph.JobListing;
import io.headgate.observe.Meters;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The directory in a map of the cluster, one entry a job. Answers come on the executor that was
 * given.
 */
public final class ClusterDirectory implements JobDirectory {
  /** As many as there may be lookups and more. */
  private static final int MOST_READS = 256;

  /** All that a publisher may have under way, and those over HTTP. */
  private static final int MOST_WRITES = 1_100;

  /** Outlasts a frozen member, which counts as gone after five seconds. */
  private static final Duration WRITE_DEADLINE = Duration.ofSeconds(8);

  private final Cluster cluster;
  private final DirectoryConfig config;
  private final InstantSource clock;
  private final StoreCalls reads;
  private final StoreCalls writes;
  private final StoreCalls lists;

  /**
   * @param clock of the day
   * @param callbacks where answers are given, such as an event loop; it must not reject any
   */
  public ClusterDirectory(
      Cluster cluster, DirectoryConfig config, InstantSource clock, Executor callbacks) {
    this.cluster = cluster;
    this.config = config;
    this.clock = clock;
    reads = cluster.calls("directory-read", MOST_READS, callbacks);
    writes = cluster.calls("directory-write", MOST_WRITES, callbacks);
    lists = cluster.calls("directory-list", 1, callbacks);
  }

  @Override
  public Call<PublishOutcome> publish(Publication publication) {
    long now = clock.millis();
    long history = config.history().toMillis();
    Call<String> call =
        writes.begin(
            () ->
                map()
                    .submitToKey(
                        publication.jobId(), new DirectoryPublish(publication, now, history)),
            Deadline.in(WRITE_DEADLINE));
    return told(call.map(PublishOutcome::valueOf));
  }

  @Override
  public Call<Boolean> remove(long jobId) {
    return told(
        writes.begin(
            () -> map().submitToKey(jobId, new DirectoryRemove()), Deadline.in(WRITE_DEADLINE)));
  }

  @Override
  public Call<@Nullable JobRecord> read(long jobId, Deadline deadline) {
    Call<byte @Nullable []> call = reads.begin(() -> map().getAsync(jobId), deadline);
    return told(call.map(bytes -> bytes == null ? null : JobRecord.fromBytes(bytes)));
  }

  /** Blocks a thread that is there for such calls: there is no other way to go through a map. */
  @Override
  public Call<JobListing.Read> list(int most, Deadline deadline) {
    long now = clock.millis();
    return told(
        lists.begin(
            () ->
                CompletableFuture.supplyAsync(
                    () -> cluster.directoryScan().list(most, now, deadline), cluster.threads()),
            deadline));
  }

  private IMap<Long, byte[]> map() {
    return cluster.map(StoreMaps.DIRECTORY);
  }

  /** The same call, failing as the interface says. */
  private static <T extends @Nullable Object> Call<T> told(Call<T> call) {
    CompletionStage<T> answer =
        call.answer()
            .exceptionally(
                failure -> {
                  throw new DirectoryUnavailableException(StoreException.reason(failure));
                });
    return new Call<>(answer, call.ended());
  }

  /** Puts what it counts into {@code meters}. */
  public void observe(Meters meters) {
    reads.observe(meters);
    writes.observe(meters);
    lists.observe(meters);
  }
}
