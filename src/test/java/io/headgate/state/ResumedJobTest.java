package io.headgate.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.kit.JobInfo;
import io.headgate.kit.ScriptedEngine;
import io.headgate.kit.TestGateway;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One job id, more than one execution, through the whole gateway. */
class ResumedJobTest {
  private static final String[] NO_REUSE = {"admission.freshness", "0"};

  private static ScriptedEngine.Behaviour of(JobInfo info) {
    return ScriptedEngine.body(info.json());
  }

  @Test
  void L22a_an_execution_far_older_than_the_one_served_is_503() {
    JobInfo old = JobInfo.of(7).created("2026-11-30 01:00:00").finished("2026-11-30 02:00:00");
    JobInfo current = JobInfo.of(7).created("2026-11-30 09:41:54").name("resumed");
    try (ScriptedEngine engine = new ScriptedEngine().job(7, of(old));
        TestGateway gateway = TestGateway.before(engine, NO_REUSE)) {
      assertThat(gateway.lineage(7).body()).isEqualTo(old.lineage());
      engine.job(7, of(current));
      assertThat(gateway.lineage(7).body()).isEqualTo(current.lineage());
      engine.job(7, of(old));
      assertThat(gateway.lineage(7).statusCode()).isEqualTo(503);
      assertThat(gateway.metric("headgate_fence_refused_total")).isOne();
      engine.job(7, of(current));
      assertThat(gateway.lineage(7).body()).isEqualTo(current.lineage());
    }
  }

  @Test
  void L22a_an_execution_that_was_replaced_minutes_later_does_not_come_back() {
    JobInfo first = JobInfo.of(7).created("2026-11-30 09:41:54");
    JobInfo second = JobInfo.of(7).created("2026-11-30 09:45:00");
    try (ScriptedEngine engine = new ScriptedEngine();
        TestGateway gateway = TestGateway.before(engine, NO_REUSE)) {
      for (JobInfo execution : new JobInfo[] {first, second}) {
        engine.job(7, of(execution));
        assertThat(gateway.lineage(7).statusCode()).isEqualTo(200);
      }
      engine.job(7, of(first));
      assertThat(gateway.lineage(7).statusCode()).isEqualTo(503);
    }
  }

  @Test
  void L22_an_active_job_without_a_graph_never_gives_the_retained_one() {
    JobInfo retained = JobInfo.of(7).finished("2026-11-30 10:00:00");
    String active =
        "{\"jobId\":\"7\",\"jobStatus\":\"RUNNING\",\"createTime\":\"2026-11-30 10:00:05\",\"jobDag\":null}";
    try (ScriptedEngine engine = new ScriptedEngine().job(7, of(retained));
        TestGateway gateway = TestGateway.before(engine, NO_REUSE)) {
      assertThat(gateway.lineage(7).statusCode()).isEqualTo(200);
      engine.job(7, ScriptedEngine.body(active));
      assertThat(gateway.lineage(7).statusCode()).isEqualTo(409);
    }
  }

  /** What one gateway remembers, and what a cluster does. */
  @ParameterizedTest
  @ValueSource(strings = {"false", "true"})
  void L22a_members_that_disagree_never_bring_the_first_graph_back(String clustered) {
    JobInfo first = JobInfo.of(7).finished("2026-11-30 09:44:00");
    JobInfo second = JobInfo.of(7).created("2026-11-30 09:45:00").nodes(5);
    ScriptedEngine.Behaviour withoutGraph =
        ScriptedEngine.body(
            "{\"jobId\":\"7\",\"jobStatus\":\"RUNNING\",\"createTime\":\"2026-11-30 09:45:00\"}");
    try (ScriptedEngine one = new ScriptedEngine().job(7, of(first));
        ScriptedEngine other = new ScriptedEngine().job(7, of(first));
        TestGateway gateway =
            TestGateway.before(
                List.of(one.uri(), other.uri()),
                "admission.freshness",
                "0",
                "hazelcast.enabled",
                clustered)) {
      assertThat(gateway.lineage(7).body()).isEqualTo(first.lineage());
      one.job(7, withoutGraph);
      assertThat(gateway.lineage(7).statusCode()).isEqualTo(409);
      one.job(7, of(second));
      assertThat(gateway.lineage(7).body()).isEqualTo(second.lineage());

      one.job(7, ScriptedEngine.status(500));
      assertThat(gateway.lineage(7).statusCode()).as("the other still says first").isEqualTo(503);
      other.job(7, withoutGraph);
      assertThat(gateway.lineage(7).statusCode()).isEqualTo(409);
      other.job(7, of(first));
      assertThat(gateway.lineage(7).statusCode()).isEqualTo(503);
      other.job(7, of(second));
      assertThat(gateway.lineage(7).body()).isEqualTo(second.lineage());
      other.job(7, of(second.finished("2026-11-30 09:50:00")));
      assertThat(gateway.lineage(7).body()).isEqualTo(second.lineage());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"false", "true"})
  void L22a_a_recorded_resume_is_not_taken_back(String clustered) throws Exception {
    long job = 1179718928818176001L;
    ScriptedEngine.Behaviour retained = recorded("07_job-info_after_savepoint_branch");
    ScriptedEngine.Behaviour resumed = recorded("08_job-info_resumed_branch");
    try (ScriptedEngine engine = new ScriptedEngine().job(job, retained);
        TestGateway gateway =
            TestGateway.before(
                engine, "admission.freshness", "0", "hazelcast.enabled", clustered)) {
      assertThat(gateway.lineage(job).statusCode()).isEqualTo(200);
      engine.job(job, resumed);
      assertThat(gateway.lineage(job).statusCode()).isEqualTo(200);
      engine.job(job, retained);
      assertThat(gateway.lineage(job).statusCode()).isEqualTo(503);
      engine.job(job, resumed);
      assertThat(gateway.lineage(job).statusCode()).isEqualTo(200);
    }
  }

  private static ScriptedEngine.Behaviour recorded(String name) throws IOException {
    String file = "/zeta-recordings/2.3.9-SNAPSHOT-20241023-v2/" + name + ".json";
    try (InputStream in = ResumedJobTest.class.getResourceAsStream(file)) {
      return ScriptedEngine.body(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  @Test
  void L22b_a_job_whose_engine_flips_its_numbering_keeps_one_etag() throws Exception {
    String a = recording("31_branch_repeat_A.json");
    String b = recording("31_branch_repeat_B.json");
    long job = 1179721194218520577L;
    try (ScriptedEngine engine = new ScriptedEngine().job(job, ScriptedEngine.body(a));
        TestGateway gateway = TestGateway.before(engine, NO_REUSE)) {
      var first = gateway.lineage(job);
      assertThat(first.statusCode()).isEqualTo(200);
      engine.job(job, ScriptedEngine.body(b));
      var second = gateway.lineage(job);

      assertThat(second.body()).isEqualTo(first.body());
      assertThat(second.headers().firstValue("ETag")).isEqualTo(first.headers().firstValue("ETag"));
      assertThat(
              gateway
                  .lineage(job, "If-None-Match", first.headers().firstValue("ETag").orElseThrow())
                  .statusCode())
          .isEqualTo(304);
    }
  }

  private static String recording(String name) throws Exception {
    try (var in =
        ResumedJobTest.class.getResourceAsStream(
            "/zeta-recordings/2.3.9-SNAPSHOT-20241023-v2/" + name)) {
      assertThat(in).as(name).isNotNull();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
