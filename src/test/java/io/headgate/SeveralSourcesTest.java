package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.kit.JobInfo;
import io.headgate.kit.PublicationBody;
import io.headgate.kit.ScriptedEngine;
import io.headgate.kit.TestGateway;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An engine and published graphs in one gateway, over HTTP (L22, L25). */
class SeveralSourcesTest {
  private static final long JOB = 77;
  private static final JobInfo IN_ENGINE = JobInfo.of(JOB);
  private static final JobInfo PUBLISHED = JobInfo.of(JOB).nodes(5);

  private final ScriptedEngine engine = new ScriptedEngine();
  private TestGateway gateway;

  @BeforeEach
  void start() {
    gateway =
        TestGateway.before(
            engine,
            "hazelcast.enabled",
            "true",
            "source.directory.enabled",
            "true",
            "source.zeta.attemptTimeout",
            "300ms",
            "admission.freshness",
            "0");
  }

  @AfterEach
  void stop() {
    gateway.close();
    engine.close();
  }

  private void published(PublicationBody body) {
    HttpResponse<String> response = gateway.put("/jobs/" + JOB + "/graph", body.json());
    assertThat(response.statusCode()).isEqualTo(200);
  }

  private void assertServes(JobInfo graph) {
    assertThat(gateway.lineage(JOB).body()).isEqualTo(graph.lineage());
  }

  @Test
  void L22_of_two_active_records_the_first_source_has_its_way() {
    engine.job(JOB, ScriptedEngine.body(IN_ENGINE.json()));
    published(PublicationBody.of(PUBLISHED));
    assertServes(IN_ENGINE);
  }

  @Test
  void L22_an_active_published_job_beats_what_the_engine_has_retained() {
    engine.job(JOB, ScriptedEngine.body(IN_ENGINE.finished("2026-11-30 09:50:00").json()));
    assertServes(IN_ENGINE);
    published(PublicationBody.of(PUBLISHED));
    assertServes(PUBLISHED);
  }

  @Test
  void L22_a_published_job_that_ended_is_served_only_while_the_engine_can_say_that_it_has_none() {
    published(PublicationBody.of(PUBLISHED).status("FINISHED"));
    engine.job(JOB, ScriptedEngine.unknown());
    assertServes(PUBLISHED);
    engine.job(JOB, ScriptedEngine.status(500));
    HttpResponse<String> response = gateway.lineage(JOB);
    assertThat(response.statusCode()).isEqualTo(503);
    assertThat(response.body()).startsWith("{\"code\":\"LINEAGE_TEMPORARILY_UNAVAILABLE\"");
  }

  @Test
  void L22_a_published_job_that_is_active_is_served_though_the_engine_hangs() {
    published(PublicationBody.of(PUBLISHED));
    engine.job(JOB, ScriptedEngine.status(500));
    assertServes(PUBLISHED);
  }

  @Test
  void L22_the_engine_s_active_job_without_a_graph_hides_every_other_record() {
    engine.job(
        JOB,
        ScriptedEngine.body(
            "{\"jobId\":\"77\",\"jobStatus\":\"RUNNING\",\"createTime\":\"2026-11-30 09:41:54\"}"));
    published(PublicationBody.of(PUBLISHED));
    assertThat(gateway.lineage(JOB).statusCode()).isEqualTo(409);
  }

  @Test
  void L21_a_job_is_unknown_where_neither_has_it() {
    engine.job(JOB, ScriptedEngine.unknown());
    assertThat(gateway.lineage(JOB).statusCode()).isEqualTo(404);
  }

  @Test
  void L22_an_engine_that_returns_is_believed_again_at_once() {
    engine.job(JOB, ScriptedEngine.body(IN_ENGINE.json()));
    published(PublicationBody.of(PUBLISHED));
    for (int round = 0; round < 2; round++) {
      engine.job(JOB, ScriptedEngine.body(IN_ENGINE.json()));
      assertServes(IN_ENGINE);
      engine.job(JOB, ScriptedEngine.status(500));
      assertServes(PUBLISHED);
    }
  }

  @Test
  void L25_the_order_of_sources_can_be_turned_round() {
    engine.job(JOB, ScriptedEngine.body(IN_ENGINE.json()));
    try (TestGateway turned =
        TestGateway.before(
            engine,
            "hazelcast.enabled",
            "true",
            "source.directory.enabled",
            "true",
            "source.order",
            "directory,zeta")) {
      turned.put("/jobs/" + JOB + "/graph", PublicationBody.of(PUBLISHED).json());
      assertThat(turned.lineage(JOB).body()).isEqualTo(PUBLISHED.lineage());
      assertThat(engine.requests()).isEmpty();
    }
  }

  @Test
  void recorded_jobs_may_stand_behind_published_ones() {
    try (TestGateway demo =
        TestGateway.recorded(
            "hazelcast.enabled", "true",
            "source.directory.enabled", "true",
            "source.order", "directory,recorded")) {
      assertThat(demo.lineage(1179718928818176001L).statusCode()).isEqualTo(200);
      demo.put("/jobs/" + JOB + "/graph", PublicationBody.of(PUBLISHED).json());
      assertThat(demo.lineage(JOB).body()).isEqualTo(PUBLISHED.lineage());
      assertThat(demo.get("/health/ready").body()).contains("\"demo\":true");
    }
  }

  @Test
  void a_source_that_the_order_names_must_be_there() {
    HeadgateConfig config = TestGateway.config("source.order", "embedded");
    assertThat(List.of(config.sources().order())).hasSize(1);
    org.assertj.core.api.Assertions.assertThatThrownBy(
            () -> TestGateway.running(new HeadgateVerticle(config)))
        .hasStackTraceContaining("source.order: embedded");
  }
}
