package io.headgate.upstream.zeta;

import static io.headgate.upstream.zeta.RealEngineAnswers.assertError;
import static io.headgate.upstream.zeta.RealEngineAnswers.assertGraph;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.kit.LoggedLines;
import io.headgate.kit.TestGateway;
import io.headgate.peer.ZetaCluster;
import io.headgate.peer.ZetaConfig;
import io.headgate.peer.ZetaJobs;
import io.headgate.upstream.zeta.RealEngineClients.Answer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Jobs of a real, healthy engine of two members (SeaTunnel 2.3.8), looked up at the gateway. */
class RealEngineTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private static ZetaCluster cluster;
  private static ZetaJobs jobs;

  @BeforeAll
  static void startEngine() {
    cluster = ZetaCluster.start(ZetaConfig.members(2));
    jobs = cluster.member(0).jobs();
  }

  @AfterAll
  static void stopEngine() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static TestGateway gateway(String... settings) {
    return TestGateway.before(
        cluster.uris().stream().map(RealEngineAnswers::base).toList(), settings);
  }

  @Test
  void L26_a_finished_batch_job_is_answered_with_exactly_these_bytes() {
    String job = jobs.submit("batch_copy_filter");
    String record = jobs.awaitRetained(job, "FINISHED", LIMIT);

    try (TestGateway gateway = gateway()) {
      HttpResponse<String> answer = gateway.get("/job-lineage/" + job);

      assertGraph(answer, RealEngineAnswers.lineage(record));
      assertGraph(
          answer,
          """
          {"schemaVersion":1,"jobId":"%s","graphKind":"EXECUTION","idScope":"JOB","nodes":[\
          {"id":"1","kind":"SOURCE","name":"pipeline-1 [Source[0]-FakeSource]",\
          "tablePaths":[],"datasetMetadata":"UNAVAILABLE"},\
          {"id":"3","kind":"SINK","name":"pipeline-1 [Sink[0]-Console-MultiTableSink]",\
          "tablePaths":[],"datasetMetadata":"UNAVAILABLE"},\
          {"id":"4","kind":"TRANSFORM","name":"pipeline-1 [TransformChain[Transform[0]-Sql]]",\
          "tablePaths":[],"datasetMetadata":"NOT_APPLICABLE"}],"edges":[\
          {"pipelineId":1,"sourceNodeId":"1","targetNodeId":"4"},\
          {"pipelineId":1,"sourceNodeId":"4","targetNodeId":"3"}],"warnings":[\
          {"code":"DATASET_METADATA_UNAVAILABLE","nodeId":"1"},\
          {"code":"DATASET_METADATA_UNAVAILABLE","nodeId":"3"}]}"""
              .formatted(job));
    }
  }

  @Test
  void L26_a_finished_branching_job_is_answered_with_both_its_pipelines() {
    String job = jobs.submit("branch");
    jobs.awaitActive(job, "RUNNING", LIMIT);
    jobs.cancel(job);
    String record = jobs.awaitRetained(job, "CANCELED", LIMIT);

    try (TestGateway gateway = gateway()) {
      HttpResponse<String> answer = gateway.get("/job-lineage/" + job);

      assertGraph(answer, RealEngineAnswers.lineage(record));
      assertThat(answer.body())
          .contains("\"pipelineId\":1,", "\"pipelineId\":2,", "Sink[2]-Console-MultiTableSink");
    }
  }

  @Test
  void L26_a_failed_job_is_answered_with_its_graph() {
    String job = jobs.submit("failrun");
    String record = jobs.awaitRetained(job, "FAILED", LIMIT);

    try (TestGateway gateway = gateway()) {
      assertGraph(gateway.get("/job-lineage/" + job), RealEngineAnswers.lineage(record));
    }
  }

  @Test
  void L9_every_fresh_lookup_on_either_member_gives_the_same_tag_and_the_tag_gives_304() {
    String job = jobs.submit("batch_copy_filter");
    String record = jobs.awaitRetained(job, "FINISHED", LIMIT);
    List<String> tags = new ArrayList<>();

    for (URI member : cluster.uris()) {
      try (TestGateway gateway =
          TestGateway.before(List.of(RealEngineAnswers.base(member)), "admission.freshness", "0")) {
        for (int polling = 0; polling < 2; polling++) {
          HttpResponse<String> answer = gateway.get("/job-lineage/" + job);
          assertGraph(answer, RealEngineAnswers.lineage(record));
          tags.add(answer.headers().firstValue("etag").orElseThrow());
        }
        HttpResponse<String> unchanged =
            gateway.get("/job-lineage/" + job, "If-None-Match", tags.get(0));
        assertThat(unchanged.statusCode()).isEqualTo(304);
        assertThat(unchanged.body()).isEmpty();
        assertThat(unchanged.headers().firstValue("etag")).hasValue(tags.get(0));
        assertThat(unchanged.headers().firstValue("content-type")).isEmpty();
        assertThat(gateway.metric(upstreamCalls("answered"))).as("calls upstream").isEqualTo(3);
      }
    }
    assertThat(tags).hasSize(4).containsOnly(tags.get(0));
  }

  @Test
  void L27_an_active_job_is_refused_for_its_legacy_shape() {
    String job = jobs.submit("multi");
    jobs.awaitActive(job, "RUNNING", LIMIT);

    try (TestGateway gateway = gateway()) {
      assertError(gateway.get("/job-lineage/" + job), 409);
      assertThat(
              gateway.metric(
                  "headgate_lineage_outcomes_total{reason=\"legacy-shape\",status=\"409\"}"))
          .isEqualTo(1);
    }
  }

  @Test
  void L28_a_job_that_no_member_knows_is_not_found() {
    try (TestGateway gateway = gateway()) {
      assertError(gateway.get("/job-lineage/42"), 404);
      assertError(gateway.get("/job-lineage/9223372036854775807"), 404);
    }
  }

  /** The second execution runs another configuration, so that its graph is not the first's. */
  @Test
  void L22_an_active_execution_hides_the_retained_one_until_it_ends_itself() {
    String job = jobs.submit("branch");
    jobs.awaitActive(job, "RUNNING", LIMIT);

    // One client and no reuse: each of its answers tells of a later moment than the one before.
    try (TestGateway gateway = gateway("admission.freshness", "0");
        RealEngineClients client = RealEngineClients.start(gateway, 1, job)) {
      client.awaitBody(RealEngineAnswers.UNAVAILABLE, LIMIT);

      jobs.stopWithSavepoint(job);
      String first = jobs.awaitRetained(job, "SAVEPOINT_DONE", LIMIT);
      client.awaitBody(RealEngineAnswers.lineage(first), LIMIT);

      jobs.resume("stream", job);
      jobs.awaitActive(job, "RUNNING", LIMIT);
      client.awaitBody(RealEngineAnswers.UNAVAILABLE, LIMIT);

      jobs.cancel(job);
      String second = jobs.awaitRetained(job, "CANCELED", LIMIT);
      client.awaitBody(RealEngineAnswers.lineage(second), LIMIT);
      client.close();

      assertThat(RealEngineAnswers.createTime(second))
          .isNotEqualTo(RealEngineAnswers.createTime(first));
      // A job that is just being taken up can't be read for a moment: 500 upstream, 503 here.
      assertThat(changes(client.answers().stream().filter(a -> a.status() != 503).toList()))
          .containsExactly(
              RealEngineAnswers.UNAVAILABLE,
              RealEngineAnswers.lineage(first),
              RealEngineAnswers.UNAVAILABLE,
              RealEngineAnswers.lineage(second));
    }
  }

  /** The engine lists the resumed job twice: as running, and as stopped with a savepoint. */
  @Test
  void L22_running_finished_and_resumed_jobs_are_each_listed_once() {
    String finished = jobs.submit("batch_copy_filter");
    jobs.awaitRetained(finished, "FINISHED", LIMIT);
    String resumed = jobs.submit("stream");
    jobs.awaitActive(resumed, "RUNNING", LIMIT);
    jobs.stopWithSavepoint(resumed);
    jobs.awaitRetained(resumed, "SAVEPOINT_DONE", LIMIT);
    jobs.resume("stream", resumed);
    String active = jobs.awaitActive(resumed, "RUNNING", LIMIT);
    String running = jobs.submit("multi");
    jobs.awaitActive(running, "RUNNING", LIMIT);
    assertThat(jobs.get("running-jobs").body()).contains(resumed, running);
    assertThat(jobs.get("finished-jobs/SAVEPOINT_DONE").body()).contains(resumed);

    try (TestGateway gateway = gateway()) {
      await().atMost(LIMIT).until(() -> gateway.get("/jobs").statusCode() == 200);
      String list = gateway.get("/jobs?limit=1000").body();

      assertThat(list).contains("\"complete\":true", "\"next\":null");
      assertThat(entry(list, finished))
          .containsPattern("\"name\":\"batch_copy_filter\",\"state\":\"FINISHED\"")
          .containsPattern("\"finishTime\":\"[0-9-]+T[0-9:]+\",\"source\":\"ZETA\"");
      assertThat(entry(list, resumed))
          .contains("\"name\":\"stream\",\"state\":\"RUNNING\"", "\"finishTime\":null")
          .contains(RealEngineAnswers.createTime(active).replace(' ', 'T'));
      assertThat(entry(list, running)).contains("\"name\":\"multi\",\"state\":\"RUNNING\"");
      assertThat(entry(gateway.get("/jobs?state=RUNNING&limit=1000").body(), resumed)).isNotEmpty();
    }
    jobs.cancel(resumed);
    jobs.cancel(running);
  }

  /** What a list says about a job, which must be in it once. */
  private static String entry(String list, String job) {
    List<String> entries =
        Pattern.compile("\\{\"jobId\":\"" + job + "\"[^}]*}")
            .matcher(list)
            .results()
            .map(MatchResult::group)
            .toList();
    assertThat(entries).as(job).hasSize(1);
    return entries.get(0);
  }

  /** The bodies without those that only repeat what was said before. */
  private static List<String> changes(List<Answer> answers) {
    List<String> changes = new ArrayList<>();
    for (Answer answer : answers) {
      if (changes.isEmpty() || !changes.get(changes.size() - 1).equals(answer.body())) {
        changes.add(answer.body());
      }
    }
    return changes;
  }

  @Test
  void L14_nothing_of_a_jobs_name_options_jars_or_errors_gets_out() {
    String active = submit(ACTIVE_WITH_SECRETS);
    String failed = submit(FAILING_WITH_SECRETS);
    assertThat(jobs.awaitActive(active, "RUNNING", LIMIT))
        .contains("s3cret-name", "s3cret-option", "s3cret-value", "s3cret-folder/s3cret.jar");
    assertThat(jobs.awaitRetained(failed, "FAILED", LIMIT))
        .contains("s3cret-name", "s3cret-row", "NumberFormatException", "\\tat org.apache.");
    List<String> out = new ArrayList<>();

    try (LoggedLines log = LoggedLines.detailed()) {
      try (TestGateway gateway = gateway()) {
        HttpResponse<String> graph = gateway.get("/job-lineage/" + failed);
        HttpResponse<String> refusal = gateway.get("/job-lineage/" + active);
        assertThat(graph.statusCode()).isEqualTo(200);
        assertThat(refusal.statusCode()).isEqualTo(409);
        out.add(text(graph));
        out.add(text(refusal));
        out.add(text(gateway.get("/health/ready")));
        out.add(text(gateway.get("/metrics")));
        assertThat(out.get(3)).contains("legacy-shape").doesNotContain(active, failed);
      }
      log.assertFreeOf("s3cret", "NumberFormatException", "org.apache.");
    }

    assertThat(out)
        .allSatisfy(
            text ->
                assertThat(text)
                    .doesNotContainIgnoringCase("s3cret")
                    .doesNotContain("NumberFormatException", "org.apache."));
    jobs.cancel(active);
  }

  private static final String ACTIVE_WITH_SECRETS =
      """
      {"env":{"job.mode":"STREAMING","s3cret-option":"s3cret-value",
        "jars":"file:///s3cret-folder/s3cret.jar"},
       "source":[{"plugin_name":"FakeSource","result_table_name":"fake","row.num":1,
        "schema":{"fields":{"name":"string"}}}],
       "sink":[{"plugin_name":"Console","source_table_name":"fake"}]}
      """;

  private static final String FAILING_WITH_SECRETS =
      """
      {"env":{"job.mode":"BATCH","job.retry.times":0,"s3cret-option":"s3cret-value"},
       "source":[{"plugin_name":"FakeSource","result_table_name":"fake",
        "schema":{"fields":{"name":"string"}},
        "rows":[{"kind":"INSERT","fields":["s3cret-row"]}]}],
       "transform":[{"plugin_name":"Sql","source_table_name":"fake","result_table_name":"fake1",
        "query":"select CAST(name AS INT) as n from fake"}],
       "sink":[{"plugin_name":"Console","source_table_name":"fake1"}]}
      """;

  private static String submit(String config) {
    URI uri =
        URI.create(
            RealEngineAnswers.base(cluster.uris().get(0)) + "/submit-job?jobName=s3cret-name");
    HttpRequest request =
        HttpRequest.newBuilder(uri).POST(HttpRequest.BodyPublishers.ofString(config)).build();
    String answer =
        HttpClient.newHttpClient()
            .sendAsync(request, HttpResponse.BodyHandlers.ofString())
            .orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS)
            .join()
            .body();
    Matcher id = Pattern.compile("\"jobId\":\"([0-9]+)\"").matcher(answer);
    assertThat(id.find()).as(answer).isTrue();
    return id.group(1);
  }

  private static String text(HttpResponse<String> answer) {
    return answer.headers().map() + " " + answer.body();
  }

  private static String upstreamCalls(String outcome) {
    return "headgate_upstream_calls_total{member=\"0\",outcome=\"" + outcome + "\"}";
  }
}
