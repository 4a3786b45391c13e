package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.kit.JobInfo;
import io.headgate.kit.PublicationBody;
import io.headgate.kit.TestGateway;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The life of a published job as its readers see it (L10, L22, L25): published and read over HTTP,
 * kept by a real member, with a clock that the test moves. Each test has jobs of its own.
 */
class PublishedJobTest {
  private static final Duration HISTORY = Duration.ofHours(24);
  private static final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-11-30T09:42:00Z"));

  private static TestGateway gateway;

  @BeforeAll
  static void start() {
    HeadgateConfig config =
        TestGateway.config(
            "hazelcast.enabled", "true",
            "source.directory.enabled", "true",
            "source.directory.history", HISTORY.toHours() + "h",
            "admission.freshness", "0");
    InstantSource clock = now::get;
    gateway = TestGateway.running(new HeadgateVerticle(config, null, clock));
  }

  @AfterAll
  static void stop() {
    gateway.close();
  }

  private static void later(Duration by) {
    now.updateAndGet(instant -> instant.plus(by));
  }

  private static void published(PublicationBody body) {
    HttpResponse<String> response = gateway.put(path(body.jobId()), body.json());
    assertThat(response.body()).isEqualTo("{\"result\":\"PUBLISHED\"}");
    assertThat(response.statusCode()).isEqualTo(200);
  }

  private static String path(long jobId) {
    return "/jobs/" + jobId + "/graph";
  }

  private static void assertServes(long jobId, JobInfo graph) {
    HttpResponse<String> response = gateway.lineage(jobId);
    assertThat(response.body()).isEqualTo(graph.lineage());
    assertThat(response.statusCode()).isEqualTo(200);
  }

  private static void assertAnswers(long jobId, int status, String code) {
    HttpResponse<String> response = gateway.lineage(jobId);
    assertThat(response.body()).startsWith("{\"code\":\"" + code + "\"");
    assertThat(response.statusCode()).isEqualTo(status);
  }

  private static void assertHasNoGraph(long jobId) {
    assertAnswers(jobId, 409, "LINEAGE_UNAVAILABLE");
  }

  private static void assertIsUnknown(long jobId) {
    assertAnswers(jobId, 404, "JOB_NOT_FOUND");
  }

  @Test
  void a_job_that_nobody_published_is_unknown() {
    assertIsUnknown(1);
  }

  @Test
  void L10_a_pending_job_is_known_before_it_has_a_graph_and_served_once_it_has_one() {
    PublicationBody pending = PublicationBody.of(2).status("PENDING");
    published(pending.withoutGraph());
    assertHasNoGraph(2);
    published(pending);
    assertServes(2, JobInfo.of(2));
  }

  @Test
  void L22_a_running_job_keeps_its_graph_when_it_finishes() {
    PublicationBody running = PublicationBody.of(3);
    published(running);
    assertServes(3, JobInfo.of(3));
    published(running.status("FINISHED").withoutGraph());
    assertServes(3, JobInfo.of(3));
  }

  @Test
  void L10_a_job_that_failed_before_it_had_a_graph_is_known_without_one() {
    published(PublicationBody.of(4).status("INITIALIZING").withoutGraph());
    published(PublicationBody.of(4).status("FAILED").withoutGraph());
    assertHasNoGraph(4);
  }

  @Test
  void L22_a_finished_job_is_unknown_once_its_history_has_expired() {
    published(PublicationBody.of(5));
    published(PublicationBody.of(5).status("FINISHED").withoutGraph());
    later(HISTORY.minusMillis(1));
    assertServes(5, JobInfo.of(5));
    later(Duration.ofMillis(1));
    assertIsUnknown(5);
  }

  @Test
  void L22_a_live_graph_whose_state_has_expired_is_no_usable_record() {
    published(PublicationBody.of(6));
    published(PublicationBody.of(6).status("FINISHED").withoutGraph());
    later(HISTORY.dividedBy(2));
    published(PublicationBody.of(JobInfo.of(6).nodes(5)).status("FINISHED"));
    assertServes(6, JobInfo.of(6).nodes(5));
    later(HISTORY.dividedBy(2));
    assertIsUnknown(6);
  }

  @Test
  void L10_a_live_state_whose_graph_has_expired_is_a_known_job_without_a_graph() {
    published(PublicationBody.of(7));
    published(PublicationBody.of(7).status("SAVEPOINT_DONE").withoutGraph());
    later(HISTORY.dividedBy(2));
    published(PublicationBody.of(7).status("FINISHED").withoutGraph());
    later(HISTORY.dividedBy(2));
    assertHasNoGraph(7);
    later(HISTORY);
    assertIsUnknown(7);
  }

  @Test
  void L22_who_reads_while_a_job_finishes_sees_its_graph_and_nothing_else() {
    List<CompletableFuture<HttpResponse<String>>> readers = new ArrayList<>();
    for (int job = 1_000; job < 1_050; job++) {
      published(PublicationBody.of(job));
      for (int i = 0; i < 3; i++) {
        readers.add(gateway.getAsync("/job-lineage/" + job));
      }
      published(PublicationBody.of(job).status("FINISHED").withoutGraph());
      assertServes(job, JobInfo.of(job));
    }
    assertThat(readers.stream().map(reader -> reader.join().statusCode()).distinct())
        .isSubsetOf(200, 503) // 503 where more readers came at once than there are permits
        .contains(200);
    assertThat(readers.stream().map(CompletableFuture::join).filter(r -> r.statusCode() == 200))
        .allSatisfy(r -> assertThat(r.body()).contains("\"name\":\"stage 3\""));
  }

  @Test
  void L22_an_active_execution_without_a_graph_hides_the_graph_of_the_one_before() {
    published(PublicationBody.of(8));
    published(PublicationBody.of(8).status("SAVEPOINT_DONE").withoutGraph());
    published(PublicationBody.of(8).epoch(2).withoutGraph());
    assertHasNoGraph(8);
    assertHasNoGraph(8);
  }

  @Test
  void L22_the_same_id_resumed_with_the_same_topology_is_served_alike() {
    published(PublicationBody.of(9));
    String before = gateway.lineage(9).body();
    published(PublicationBody.of(9).status("SAVEPOINT_DONE").withoutGraph());
    published(PublicationBody.of(9).epoch(2));
    assertThat(gateway.lineage(9).body()).isEqualTo(before);
  }

  @Test
  void L22_the_same_id_resumed_with_another_topology_is_served_with_the_new_one() {
    published(PublicationBody.of(10));
    published(PublicationBody.of(10).status("SAVEPOINT_DONE").withoutGraph());
    JobInfo other = JobInfo.of(10).nodes(6);
    published(PublicationBody.of(other).epoch(2));
    assertServes(10, other);
    published(PublicationBody.of(other).epoch(2).status("FINISHED").withoutGraph());
    assertServes(10, other);
  }

  @Test
  void L22_a_job_restored_under_a_new_id_has_a_graph_of_its_own() {
    published(PublicationBody.of(11));
    published(PublicationBody.of(11).status("SAVEPOINT_DONE").withoutGraph());
    JobInfo restored = JobInfo.of(12).nodes(4);
    published(PublicationBody.of(restored));
    assertServes(12, restored);
    assertServes(11, JobInfo.of(11));
  }

  @Test
  void L22a_a_publisher_of_an_earlier_execution_is_refused_and_changes_nothing() {
    JobInfo current = JobInfo.of(13).nodes(6);
    published(PublicationBody.of(13));
    published(PublicationBody.of(current).epoch(2));
    for (String status : List.of("RUNNING", "FAILED", "CANCELED")) {
      HttpResponse<String> stale =
          gateway.put(path(13), PublicationBody.of(13).status(status).json());
      assertThat(stale.statusCode()).isEqualTo(409);
      assertThat(stale.body()).startsWith("{\"code\":\"STALE_EPOCH\"");
      assertServes(13, current);
    }
  }

  @Test
  void L22a_an_execution_that_was_removed_does_not_come_back_before_the_hold() {
    published(PublicationBody.of(14).epoch(2));
    assertServes(14, JobInfo.of(14));
    assertThat(gateway.delete(path(14)).statusCode()).isEqualTo(200);
    assertIsUnknown(14);
    published(PublicationBody.of(14).epoch(1));
    assertAnswers(14, 503, "LINEAGE_TEMPORARILY_UNAVAILABLE");
    published(PublicationBody.of(14).epoch(3));
    assertServes(14, JobInfo.of(14));
  }
}
