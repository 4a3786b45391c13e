package io.headgate.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.kit.GatewayProcess;
import io.headgate.kit.JobInfo;
import io.headgate.kit.PublicationBody;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Publishes one fresh job after another through several gateways in turn, and remembers which were
 * acknowledged. Closing it stops it.
 */
final class Publishing implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(20);

  private final List<GatewayProcess> gateways;
  private final ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1);
  private final List<JobInfo> acknowledged = new CopyOnWriteArrayList<>();
  private final Map<Integer, Integer> statuses = new ConcurrentHashMap<>();
  private int next;

  Publishing(List<GatewayProcess> gateways) {
    this.gateways = gateways;
    var unused =
        thread.scheduleWithFixedDelay(this::publish, 0, PAUSE.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void publish() {
    JobInfo job = JobInfo.of(Workload.freshId());
    int status;
    try {
      status = gateways.get(next++ % gateways.size()).publish(PublicationBody.of(job)).statusCode();
    } catch (UncheckedIOException e) {
      status = 0;
    }
    statuses.merge(status, 1, Integer::sum);
    if (status == 200) {
      acknowledged.add(job);
    }
  }

  /** How often each status was answered; 0 is no answer. */
  Map<Integer, Integer> statuses() {
    return Map.copyOf(statuses);
  }

  /** Stops, and fails if a gateway does not have what was acknowledged. */
  void assertNothingLost(List<GatewayProcess> survivors) {
    close();
    assertThat(acknowledged).as("acknowledged; %s", statuses).isNotEmpty();
    assertThat(statuses.keySet()).as("%s", statuses).isSubsetOf(200, 503, 0);
    for (int i = 0; i < acknowledged.size(); i++) {
      JobInfo job = acknowledged.get(i);
      var answer = survivors.get(i % survivors.size()).lineage(job.jobId());
      assertThat(answer.body()).as("acknowledged job %d", i).isEqualTo(job.lineage());
    }
  }

  @Override
  public void close() {
    thread.shutdown();
    try {
      assertThat(thread.awaitTermination(60, TimeUnit.SECONDS)).as("publishing ended").isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
