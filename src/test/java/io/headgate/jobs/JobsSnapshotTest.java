package io.headgate.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headgate.graph.JobStatus;
import io.headgate.graph.JobSummary;
import io.headgate.graph.JobTime;
import io.headgate.wire.CappedBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** What the list says, and how it is cut into pages. */
class JobsSnapshotTest {
  private static final long SECOND = 1_000_000_000;
  private static final JobsQuery ALL = new JobsQuery(null, JobsQuery.MOST, JobsQuery.FROM_THE_TOP);

  private static JobSummary job(long id) {
    return new JobSummary(id, "n", JobStatus.RUNNING, true, new JobTime(id, false), null);
  }

  private static JobSummary ended(long id, long createdAt) {
    return new JobSummary(
        id, "n", JobStatus.FINISHED, false, new JobTime(createdAt, false), new JobTime(9, false));
  }

  private static JobsSnapshot.Part zeta(JobSummary... jobs) {
    return new JobsSnapshot.Part(Origin.ZETA, List.of(jobs), 0);
  }

  private static JobsSnapshot.Part directory(JobSummary... jobs) {
    return new JobsSnapshot.Part(Origin.DIRECTORY, List.of(jobs), 0);
  }

  private static String text(CappedBuffer page) {
    return new String(page.array(), 0, page.length(), StandardCharsets.UTF_8);
  }

  private static JsonNode page(JobsSnapshot list, JobsQuery query) {
    try {
      return new ObjectMapper().readTree(text(list.page(query, 0)));
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  private static List<Long> ids(JsonNode page) {
    List<Long> ids = new ArrayList<>();
    page.get("jobs").forEach(job -> ids.add(Long.parseLong(job.get("jobId").textValue())));
    return ids;
  }

  @Test
  void a_page_is_exactly_these_bytes() {
    JobSummary finished =
        new JobSummary(
            7,
            "a \"name\"\n/ä",
            JobStatus.FINISHED,
            false,
            JobTime.ofEngine("2026-11-30 09:41:54"),
            JobTime.ofEngine("2026-11-30 09:42:00"));
    JobSummary published =
        new JobSummary(
            Long.MAX_VALUE, null, JobStatus.RUNNING, true, JobTime.ofMillis(1_500), null);
    JobsSnapshot list = JobsSnapshot.of(List.of(zeta(finished), directory(published)), true);

    assertThat(text(list.page(JobsQuery.FIRST, 17 * SECOND / 1000)))
        .isEqualTo(
            """
            {"schemaVersion":1,"ageMillis":17,"complete":true,"jobs":[\
            {"jobId":"9223372036854775807","name":null,"state":"RUNNING",\
            "createTime":"1970-01-01T00:00:01.500Z","finishTime":null,"source":"DIRECTORY"},\
            {"jobId":"7","name":"a \\"name\\"\\n/ä","state":"FINISHED",\
            "createTime":"2026-11-30T09:41:54","finishTime":"2026-11-30T09:42:00","source":"ZETA"}\
            ],"next":null}""");
    assertThat(text(JobsSnapshot.of(List.of(zeta()), false).page(ALL, 0)))
        .isEqualTo(
            "{\"schemaVersion\":1,\"ageMillis\":0,\"complete\":false,\"jobs\":[],\"next\":null}");
  }

  @Test
  void a_job_appears_once_active_before_ended_and_then_the_newest() {
    JobsSnapshot list =
        JobsSnapshot.of(
            List.of(
                zeta(ended(1, 5), job(2), ended(3, 5)),
                directory(job(1), ended(2, 9), ended(3, 6), ended(4, 1))),
            true);

    JsonNode page = page(list, ALL);
    assertThat(ids(page)).containsExactly(4L, 3L, 2L, 1L);
    assertThat(page.findValuesAsText("source"))
        .containsExactly("DIRECTORY", "DIRECTORY", "ZETA", "DIRECTORY");
    assertThat(page.findValuesAsText("state"))
        .containsExactly("FINISHED", "FINISHED", "RUNNING", "RUNNING");
    assertThat(list.complete()).isTrue();
  }

  @Test
  void of_equal_jobs_the_first_source_s_is_listed() {
    JobsSnapshot list = JobsSnapshot.of(List.of(directory(job(1)), zeta(job(1))), true);
    assertThat(page(list, ALL).findValuesAsText("source")).containsExactly("DIRECTORY");
  }

  @Test
  void of_more_than_ten_thousand_jobs_the_active_and_then_the_newest_are_listed() {
    JobSummary[] active =
        LongStream.rangeClosed(1, 100).mapToObj(JobsSnapshotTest::job).toArray(JobSummary[]::new);
    JobSummary[] old =
        LongStream.rangeClosed(101, 10_101)
            .mapToObj(id -> ended(id, id))
            .toArray(JobSummary[]::new);

    JobsSnapshot list = JobsSnapshot.of(List.of(directory(old), zeta(active)), true);

    assertThat(list.jobs()).isEqualTo(10_000);
    assertThat(list.complete()).isFalse();
    List<Long> ids = new ArrayList<>();
    long after = 0;
    do {
      JsonNode page = page(list, new JobsQuery(null, 1000, after));
      ids.addAll(ids(page));
      after = page.get("next").asLong();
    } while (after != 0);
    assertThat(ids).hasSize(10_000).doesNotContain(101L, 201L).contains(1L, 100L, 202L, 10_101L);
  }

  @Test
  void the_age_is_that_of_the_oldest_part() {
    JobsSnapshot list =
        JobsSnapshot.of(
            List.of(
                new JobsSnapshot.Part(Origin.ZETA, List.of(), 5 * SECOND),
                new JobsSnapshot.Part(Origin.DIRECTORY, List.of(), 3 * SECOND)),
            true);
    assertThat(list.ageNanos(10 * SECOND)).isEqualTo(7 * SECOND);
  }

  @Test
  void a_page_ends_early_rather_than_be_too_large_and_says_where_to_go_on() {
    String name = "\u0001".repeat(JobsSnapshot.MOST_NAME_CHARS);
    JobSummary[] jobs =
        LongStream.rangeClosed(1, 5)
            .mapToObj(id -> new JobSummary(id, name, JobStatus.RUNNING, true, null, null))
            .toArray(JobSummary[]::new);
    JobsSnapshot list = JobsSnapshot.of(List.of(zeta(jobs)), true);

    for (long id = 5, after = 0; id > 0; after = id--) {
      JsonNode page = page(list, new JobsQuery(null, 1000, after));
      assertThat(ids(page)).containsExactly(id);
      assertThat(page.get("next").textValue()).isEqualTo(id == 1 ? null : Long.toString(id));
      assertThat(page.get("jobs").get(0).get("name").textValue()).isEqualTo(name);
    }
  }

  @Test
  void a_name_that_no_page_could_hold_or_that_is_ill_formed_is_null() {
    String tooLong = "x".repeat(JobsSnapshot.MOST_NAME_CHARS + 1);
    JobsSnapshot list =
        JobsSnapshot.of(
            List.of(
                zeta(
                    new JobSummary(2, tooLong, JobStatus.RUNNING, true, null, null),
                    new JobSummary(1, "\uD800", JobStatus.RUNNING, true, null, null))),
            true);
    assertThat(page(list, ALL).findValues("name")).allMatch(JsonNode::isNull).hasSize(2);
  }

  @Test
  void queries_keep_their_bounds() {
    assertThatThrownBy(() -> new JobsQuery(null, 0, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new JobsQuery(null, 1001, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new JobsQuery(null, 1, -1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Property
  void pages_together_are_the_jobs_of_the_state_by_id_each_once(
      @ForAll("someJobs") List<JobSummary> jobs,
      @ForAll @IntRange(min = 1, max = 7) int limit,
      @ForAll JobStatus state,
      @ForAll boolean all) {
    JobsSnapshot list = JobsSnapshot.of(List.of(zeta(jobs.toArray(JobSummary[]::new))), true);
    List<Long> expected =
        jobs.stream()
            .filter(job -> all || job.status() == state)
            .map(JobSummary::jobId)
            .sorted((a, b) -> Long.compare(b, a))
            .toList();

    List<Long> paged = new ArrayList<>();
    long after = JobsQuery.FROM_THE_TOP;
    do {
      JsonNode page = page(list, new JobsQuery(all ? null : state, limit, after));
      List<Long> ids = ids(page);
      assertThat(ids).hasSizeLessThanOrEqualTo(limit);
      paged.addAll(ids);
      JsonNode next = page.get("next");
      assertThat(next.isNull()).isEqualTo(paged.size() == expected.size());
      after = next.isNull() ? 0 : Long.parseLong(next.textValue());
    } while (after != 0);
    assertThat(paged).isEqualTo(expected);
  }

  @Provide
  Arbitrary<List<JobSummary>> someJobs() {
    return Combinators.combine(
            Arbitraries.longs().between(1, 40), Arbitraries.of(JobStatus.values()))
        .as((id, status) -> new JobSummary(id, "n", status, !status.isEnd(), null, null))
        .list()
        .uniqueElements(JobSummary::jobId)
        .ofMaxSize(20);
  }
}
