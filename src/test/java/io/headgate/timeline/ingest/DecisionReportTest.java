package io.headgate.timeline.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.headgate.timeline.Fault;
import io.headgate.timeline.JobLife;
import io.headgate.timeline.Receipt;
import io.headgate.timeline.TimelineChange;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Decision events as they are posted, and what is answered (T2, T4, T9). */
class DecisionReportTest {
  private static final String JOB = "\"jobId\":\"1179723906420834305\"";

  /** An event on an observation of its own; %s stands for more members. */
  private static final String FIRST =
      "{" + JOB + ",\"observationKey\":\"k\",\"stage\":\"COMPLETED\"%s}";

  private final JobLife life = new JobLife();

  @Test
  void T2_a_whole_event_is_taken_with_everything_it_says() {
    JsonNode answer =
        post(
            "[{"
                + JOB
                + ",\"observationKey\":\"my key\",\"stage\":\"COMPLETED\","
                + "\"at\":\"2026-11-30T10:00:00.500+01:00\",\"sourceTable\":\"shop.orders\","
                + "\"eventType\":\"SCHEMA_CHANGE_ADD_COLUMN\",\"target\":{\"table\":\"dw.orders\","
                + "\"sink\":\"jdbc\",\"subWriter\":3},\"targetCount\":1,\"policy\":\"STRICT\","
                + "\"capability\":\"SUPPORTED\",\"outcome\":\"FAILED\","
                + "\"reasonCode\":\"SINK_APPLY_FAILED\",\"errorSummary\":\"no\",\"attempt\":2,"
                + "\"somethingNew\":[{}]}]");
    String id = answer.get("results").get(0).get("schemaChangeId").asText();
    JsonNode record = life.record(1);
    assertThat(record.get("schemaChangeId").asText()).isEqualTo(id);
    assertThat(record.get("sourceTable").asText()).isEqualTo("shop.orders");
    assertThat(record.get("eventType").asText()).isEqualTo("SCHEMA_CHANGE_ADD_COLUMN");
    assertThat(record.get("policy").asText()).isEqualTo("STRICT");
    assertThat(record.get("decisions").toString())
        .isEqualTo(
            "[{\"stage\":\"COMPLETED\",\"at\":\"2026-11-30T09:00:00.500Z\",\"attempt\":2,"
                + "\"target\":{\"table\":\"dw.orders\",\"sink\":\"jdbc\",\"subWriter\":\"3\"},"
                + "\"policy\":\"STRICT\",\"capability\":\"SUPPORTED\",\"outcome\":\"FAILED\","
                + "\"reasonCode\":\"SINK_APPLY_FAILED\",\"errorSummary\":\"no\"}]");
    assertThat(record.get("targets")).hasSize(1);
    assertThat(record.get("targetCount").isNull()).as("only TARGET_RESOLVED counts").isTrue();
  }

  @Test
  void T2_a_change_is_named_by_its_id_or_its_sequence_or_a_key() {
    String first = post("[" + FIRST.formatted("") + "]").at("/results/0/schemaChangeId").asText();
    JsonNode answer =
        post(
            "[{"
                + JOB
                + ",\"schemaChangeId\":\""
                + first
                + "\",\"stage\":\"TRANSFORMED\"},"
                + "{"
                + JOB
                + ",\"sourceSequence\":1,\"stage\":\"APPLY_STARTED\",\"at\":1796032800000},"
                + "{"
                + JOB
                + ",\"sourceSequence\":\"1\",\"historyId\":\"0123456789abcdef\",\"stage\":\"APPLY_STARTED\"},"
                + "{"
                + JOB
                + ",\"observationKey\":\"k\",\"schemaChangeId\":null,\"stage\":\"NORMALIZED\"},"
                + "{"
                + JOB
                + ",\"sourceSequence\":1,\"historyId\":\"0000000000000000\",\"stage\":\"APPLY_STARTED\"},"
                + "{"
                + JOB
                + ",\"sourceSequence\":2,\"stage\":\"APPLY_STARTED\"}]");
    assertThat(faults(answer))
        .containsExactly(null, null, null, null, "UNKNOWN_CHANGE", "UNKNOWN_CHANGE");
    assertThat(life.sequences()).containsExactly(1L);
    assertThat(life.record(1).get("unavailableStages").toString())
        .doesNotContain("TRANSFORMED", "NORMALIZED", "APPLY_STARTED", "COMPLETED");
  }

  @Test
  void T2_one_bad_entry_does_not_lose_the_others_and_each_is_told_by_its_index() {
    JsonNode answer =
        post("[7," + FIRST.formatted("") + ",{}," + FIRST.formatted(",\"attempt\":0") + "]");
    assertThat(faults(answer))
        .containsExactly("INVALID_EVENT", null, "INVALID_JOB_ID", "OVER_BOUND");
    assertThat(answer.get("results")).hasSize(4);
    for (int i = 0; i < 4; i++) {
      assertThat(answer.get("results").get(i).get("index").asInt()).isEqualTo(i);
    }
    assertThat(life.sequences()).containsExactly(1L);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"observationKey\":\"k\",\"stage\":\"OBSERVED\"} | INVALID_JOB_ID",
        "{\"jobId\":0,\"observationKey\":\"k\",\"stage\":\"OBSERVED\"} | INVALID_JOB_ID",
        "{\"jobId\":\"07\",\"observationKey\":\"k\",\"stage\":\"OBSERVED\"} | INVALID_JOB_ID",
        "{\"jobId\":\"x\",\"observationKey\":\"k\",\"stage\":\"OBSERVED\"} | INVALID_JOB_ID",
        "{\"jobId\":7,\"stage\":\"OBSERVED\"} | INVALID_REFERENCE",
        "{\"jobId\":7,\"observationKey\":\"\",\"stage\":\"OBSERVED\"} | INVALID_REFERENCE",
        "{\"jobId\":7,\"observationKey\":\"k\",\"sourceSequence\":1,\"stage\":\"OBSERVED\"} | INVALID_REFERENCE",
        "{\"jobId\":7,\"sourceSequence\":0,\"stage\":\"OBSERVED\"} | INVALID_REFERENCE",
        "{\"jobId\":7,\"sourceSequence\":1,\"historyId\":\"x\",\"stage\":\"OBSERVED\"} | INVALID_REFERENCE",
        "{\"jobId\":7,\"schemaChangeId\":\"x\",\"stage\":\"OBSERVED\"} | INVALID_REFERENCE",
        "{\"jobId\":7,\"schemaChangeId\":\"8-1-0123456789abcdef\",\"stage\":\"OBSERVED\"} | INVALID_REFERENCE",
        "{\"jobId\":7,\"observationKey\":\"k\"} | INVALID_EVENT",
        "{\"jobId\":7,\"observationKey\":\"k\",\"stage\":\"DONE\"} | INVALID_EVENT",
        "{\"jobId\":7,\"observationKey\":\"k\",\"stage\":true} | INVALID_EVENT",
        "{\"jobId\":7,\"observationKey\":[\"k\"],\"stage\":\"OBSERVED\"} | INVALID_EVENT",
        "{\"jobId\":7,\"observationKey\":\"\\ud800\",\"stage\":\"OBSERVED\"} | INVALID_EVENT",
        "{\"jobId\":7,\"jobId\":7,\"observationKey\":\"k\",\"stage\":\"OBSERVED\"} | INVALID_EVENT",
      })
  void T2_an_entry_that_can_t_be_understood_has_a_fault(String entry, String fault) {
    assertThat(faults(post("[" + entry + "]"))).containsExactly(fault);
    assertThat(life.exists()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"outcome\":\"PARTIALLY_APPLIED\" | INVALID_EVENT",
        "\"outcome\":\"applied\" | INVALID_EVENT",
        "\"eventType\":\"LIFECYCLE_READER_OPEN\" | INVALID_EVENT",
        "\"policy\":\"drop table x\" | INVALID_EVENT",
        "\"policy\":\"\" | INVALID_EVENT",
        "\"target\":\"t\" | INVALID_EVENT",
        "\"target\":\"\" | INVALID_EVENT",
        "\"target\":{\"table\":\"t\",\"table\":\"u\"} | INVALID_EVENT",
        "\"target\":{\"table\":{}} | INVALID_EVENT",
        "\"target\":{\"table\":\"\\ud800\"} | INVALID_EVENT",
        "\"sourceTable\":\"\\udc00\" | INVALID_EVENT",
        "\"at\":\"yesterday\" | INVALID_EVENT",
        "\"at\":\"2026-11-30T10:00:00\" | INVALID_EVENT",
        "\"at\":-1 | OVER_BOUND",
        "\"at\":1.5 | OVER_BOUND",
        "\"at\":253402300800000 | OVER_BOUND",
        "\"attempt\":0 | OVER_BOUND",
        "\"attempt\":2147483648 | OVER_BOUND",
        "\"attempt\":\"x\" | OVER_BOUND",
        "\"targetCount\":-1 | OVER_BOUND",
      })
  void T2_a_member_that_has_no_such_value_is_a_fault_of_its_entry(String member, String fault) {
    assertThat(faults(post("[" + FIRST.formatted("," + member) + "]"))).containsExactly(fault);
  }

  @ParameterizedTest
  @ValueSource(strings = {"table", "sink", "subWriter"})
  void T10_names_have_1024_bytes_at_most(String part) {
    String member = ",\"target\":{\"" + part + "\":\"%s\"}";
    assertThat(faults(post("[" + FIRST.formatted(member.formatted("x".repeat(1_024))) + "]")))
        .containsExactly((String) null);
    assertThat(faults(post("[" + FIRST.formatted(member.formatted("\u20ac".repeat(342))) + "]")))
        .containsExactly("OVER_BOUND");
    assertThat(faults(post("[" + FIRST.formatted(member.formatted("x".repeat(100_000))) + "]")))
        .containsExactly("OVER_BOUND");
  }

  @Test
  void T10_a_long_error_summary_is_cut_before_it_is_made_a_text_and_says_so() {
    post("[" + FIRST.formatted(",\"errorSummary\":\"" + "\\u0061".repeat(100_000) + "\"") + "]");
    JsonNode record = life.record(1);
    assertThat(record.get("targets").get(0).get("errorSummary").asText())
        .isEqualTo("a".repeat(4_096));
    assertThat(record.get("detailsTruncated").asBoolean()).isTrue();
  }

  @Test
  void T9_a_reason_that_is_not_in_the_list_is_kept_as_unknown_and_counted() {
    DecisionReport report =
        DecisionReport.parse(
            ("["
                    + FIRST.formatted(",\"reasonCode\":\"DISK_ON_FIRE\"")
                    + ","
                    + FIRST.formatted(",\"reasonCode\":\"APPLY_SUCCEEDED\"")
                    + "]")
                .getBytes(StandardCharsets.UTF_8));
    assertThat(report.unknownReasons()).isEqualTo(1);
    post("[" + FIRST.formatted(",\"reasonCode\":\"DISK_ON_FIRE\"") + "]");
    assertThat(life.record(1).get("targets").get(0).get("reasonCode").asText())
        .isEqualTo("UNKNOWN");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{}", "[", "[{}", "[{}]]", "7", "[\"\u0001\"]"})
  void T4_a_body_that_is_no_JSON_array_is_refused_as_malformed(String body) {
    assertThat(refusal(body)).isEqualTo(DecisionReport.Refusal.MALFORMED);
  }

  @Test
  void T4_a_body_that_is_no_UTF_8_is_refused_as_malformed() {
    byte[] body = "[\"\u00e4\"]".getBytes(StandardCharsets.ISO_8859_1);
    assertThat(DecisionReport.parse(body).refusal()).isEqualTo(DecisionReport.Refusal.MALFORMED);
  }

  @Test
  void T4_too_many_entries_too_deep_ones_and_too_long_strings_refuse_the_batch() {
    String entry = "{}";
    assertThat(refusal("[" + (entry + ",").repeat(999) + entry + "]")).isNull();
    assertThat(refusal("[" + (entry + ",").repeat(1_000) + entry + "]"))
        .isEqualTo(DecisionReport.Refusal.OVER_BOUND);
    assertThat(refusal("[" + "[".repeat(64) + "]".repeat(64) + "]")).isNull();
    assertThat(refusal("[" + "[".repeat(65) + "]".repeat(65) + "]"))
        .isEqualTo(DecisionReport.Refusal.OVER_BOUND);
    assertThat(refusal("[\"" + "x".repeat(1_048_576) + "\"]")).isNull();
    assertThat(refusal("[\"" + "x".repeat(1_048_577) + "\"]"))
        .isEqualTo(DecisionReport.Refusal.OVER_BOUND);
  }

  private static DecisionReport.@Nullable Refusal refusal(String body) {
    return DecisionReport.parse(body.getBytes(StandardCharsets.UTF_8)).refusal();
  }

  @Test
  void T2_the_events_of_each_job_go_to_it_in_their_order() {
    DecisionReport report =
        DecisionReport.parse(
            ("[{\"jobId\":1,\"observationKey\":\"a\",\"stage\":\"OBSERVED\"},"
                    + "{\"jobId\":2,\"observationKey\":\"a\",\"stage\":\"OBSERVED\"},7,"
                    + "{\"jobId\":1,\"observationKey\":\"b\",\"stage\":\"OBSERVED\"}]")
                .getBytes(StandardCharsets.UTF_8));
    assertThat(report.jobs()).containsOnlyKeys(1L, 2L);
    DecisionReport.JobEvents ofOne = report.jobs().get(1L);
    DecisionReport.JobEvents ofTwo = report.jobs().get(2L);
    assertThat(ofOne == null ? null : ofOne.indexes()).containsExactly(0, 3);
    DecisionAnswer answer = report.answer();
    if (ofTwo != null) {
      answer.refuse(ofTwo, Fault.TOO_MANY_JOBS);
    }
    assertThat(faults(JobLife.tree(answer.write())))
        .containsExactly(null, "TOO_MANY_JOBS", "INVALID_EVENT", null);
  }

  /** Reads a batch, applies what is of the job, and gives the answer. */
  private JsonNode post(String body) {
    DecisionReport report = DecisionReport.parse(body.getBytes(StandardCharsets.UTF_8));
    assertThat(report.refusal()).isNull();
    DecisionAnswer answer = report.answer();
    report
        .jobs()
        .forEach(
            (job, events) -> {
              Receipt receipt =
                  life.apply(
                      new TimelineChange.Decided(job, events.events(), 0x0123_4567_89AB_CDEFL));
              answer.put(events, receipt.results());
            });
    return JobLife.tree(answer.write());
  }

  private static List<@Nullable String> faults(JsonNode answer) {
    List<@Nullable String> faults = new ArrayList<>();
    for (JsonNode result : answer.get("results")) {
      JsonNode fault = result.get("fault");
      faults.add(fault.isNull() ? null : fault.asText());
    }
    return faults;
  }
}
