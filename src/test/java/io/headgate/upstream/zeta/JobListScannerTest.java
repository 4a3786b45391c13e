package io.headgate.upstream.zeta;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.management.ThreadMXBean;
import io.headgate.graph.GraphLimits;
import io.headgate.graph.JobStatus;
import io.headgate.graph.JobSummary;
import io.headgate.graph.JobTime;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is read of an engine's lists of jobs, and what counts as no list. */
class JobListScannerTest {
  private static final long ID = 1179718928818176001L;
  private static final String JOB =
      "{\"jobId\":\"" + ID + "\",\"jobName\":\"n\",\"jobStatus\":\"FINISHED\"}";

  private final List<JobSummary> jobs = new ArrayList<>();

  private JobListScanner scanned(byte[] list, int chunk, int maxNameBytes) {
    jobs.clear();
    JobListScanner scanner = new JobListScanner(1 << 20, maxNameBytes, false, jobs::add);
    for (int at = 0; at < list.length; at += chunk) {
      scanner.feed(Arrays.copyOfRange(list, at, Math.min(list.length, at + chunk)));
    }
    return scanner;
  }

  private JobListScanner scanned(String list) {
    return scanned(
        list.getBytes(StandardCharsets.UTF_8),
        Integer.MAX_VALUE / 2,
        GraphLimits.DEFAULT.stringBytes());
  }

  private JobSummary only(String job) {
    assertThat(scanned("[" + job + "]").complete()).as(job).isTrue();
    assertThat(jobs).as(job).hasSize(1);
    return jobs.get(0);
  }

  static List<Recording> lists() {
    return Stream.of(
            Recording.ofFinishedJobs().stream(),
            Recording.ofEmptyLists().stream(),
            Recording.activeLists().stream())
        .flatMap(list -> list)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("lists")
  void the_lists_of_every_recorded_engine_are_read_however_they_are_cut(Recording recording)
      throws IOException {
    List<JobSummary> expected = throughTree(recording.body());
    for (int chunk : new int[] {1, 7, 100, 1_000_000}) {
      JobListScanner scanner = scanned(recording.body(), chunk, 4096);

      assertThat(scanner.complete()).as("pieces of %d", chunk).isTrue();
      assertThat(scanner.leftOut()).isFalse();
      assertThat(jobs).as("pieces of %d", chunk).isEqualTo(expected);
    }
  }

  private static List<JobSummary> throughTree(byte[] list) throws IOException {
    List<JobSummary> jobs = new ArrayList<>();
    for (JsonNode job : new ObjectMapper().readTree(list)) {
      JsonNode finished = job.get("finishTime");
      jobs.add(
          new JobSummary(
              Long.parseLong(job.required("jobId").asText()),
              job.required("jobName").textValue(),
              JobStatus.valueOf(job.required("jobStatus").textValue()),
              false,
              JobTime.ofEngine(job.required("createTime").textValue()),
              finished == null ? null : JobTime.ofEngine(finished.textValue())));
    }
    return jobs;
  }

  @Test
  void the_recordings_hold_jobs_of_every_engine() {
    assertThat(
            Stream.concat(Recording.ofFinishedJobs().stream(), Recording.activeLists().stream())
                .map(Recording::engine)
                .collect(Collectors.toSet()))
        .hasSize(4);
  }

  @ParameterizedTest
  @MethodSource("lists")
  void a_list_cut_anywhere_is_not_complete(Recording recording) {
    byte[] list = recording.body();
    int end = list.length;
    while (list[end - 1] != ']') {
      end--;
    }
    for (int length = 0; length < end; length++) {
      JobListScanner scanner = new JobListScanner(1 << 20, 4096, false, job -> {});
      assertThat(scanner.feed(Arrays.copyOf(list, length))).as("the first %d", length).isTrue();
      assertThat(scanner.complete()).as("the first %d", length).isFalse();
    }
  }

  @Test
  void what_is_no_list_of_objects_is_refused() {
    for (String text :
        List.of(
            "{}",
            "null",
            "\"[]\"",
            "]",
            "[,]",
            "[" + JOB + ",]",
            "[" + JOB + JOB + "]",
            "[" + JOB + "] []",
            "[" + JOB + "]]",
            "[null]",
            "[[]]",
            "[7]",
            "[{\"jobId\":7,}]",
            "[{\"jobId\":07}]",
            "[{\"jobId\":7,\"jobId\":7}]",
            "[{'jobId':7}]",
            "[{\"a\":\"\u0001\"}]",
            "<html>")) {
      JobListScanner scanner = scanned(text);
      assertThat(scanner.complete()).as(text).isFalse();
      assertThat(scanner.feed(new byte[] {' '})).as("goes on after %s", text).isFalse();
    }
  }

  @Test
  void white_space_is_allowed_where_json_allows_it() {
    assertThat(scanned(" \n[ \t" + JOB + "\r , " + JOB + " ] \n").complete()).isTrue();
    assertThat(jobs).hasSize(2);
    assertThat(scanned(" [ ] ").complete()).isTrue();
    assertThat(jobs).isEmpty();
  }

  @Test
  void ids_may_be_numbers_and_objects_without_a_usable_one_are_left_out() {
    assertThat(only("{\"jobId\":" + ID + "}").jobId()).isEqualTo(ID);
    assertThat(only("{\"jobId\":\"9223372036854775807\"}").jobId()).isEqualTo(Long.MAX_VALUE);
    for (String id :
        List.of("0", "-5", "\"+5\"", "9223372036854775808", "1.0", "\"\"", "null", "{}", "[5]")) {
      JobListScanner scanner = scanned("[{\"jobId\":" + id + "}," + JOB + ",{}]");
      assertThat(scanner.complete()).as(id).isTrue();
      assertThat(scanner.leftOut()).as(id).isTrue();
      assertThat(jobs).as(id).extracting(JobSummary::jobId).containsExactly(ID);
    }
  }

  @Test
  void names_are_unescaped_and_those_that_are_too_long_or_ill_formed_are_left_out() {
    String name = "{\"jobId\":5,\"jobName\":%s}";
    assertThat(only(name.formatted("\"\\u0061\\n\\\"\\/ä\\uD83D\\uDE00\"")).name())
        .isEqualTo("a\n\"/ä\uD83D\uDE00");
    assertThat(only(name.formatted("\"\"")).name()).isEmpty();
    for (String none : List.of("null", "{\"a\":\"b\"}", "[\"a\"]", "true", "\"\\uD800\"")) {
      assertThat(only(name.formatted(none)).name()).as(none).isNull();
    }
    byte[] illFormed = ("[" + name.formatted("\"?\"") + "]").getBytes(StandardCharsets.US_ASCII);
    illFormed[illFormed.length - 4] = (byte) 0xFF;
    assertThat(scanned(illFormed, 100, 100).complete()).isTrue();
    assertThat(jobs.get(0).name()).isNull();

    for (String most : List.of("x".repeat(200), "\\u00e4".repeat(100), "\\n".repeat(200))) {
      byte[] fits =
          ("[" + name.formatted("\"" + most + "\"") + "]").getBytes(StandardCharsets.UTF_8);
      byte[] over =
          ("[" + name.formatted("\"" + most + "x\"") + "]").getBytes(StandardCharsets.UTF_8);
      for (int chunk : new int[] {1, 10_000}) {
        scanned(fits, chunk, 200);
        assertThat(jobs.get(0).name()).as(most).isNotNull();
        scanned(over, chunk, 200);
        assertThat(jobs.get(0).name()).as("%s and one more", most).isNull();
      }
    }
  }

  @Test
  void unknown_states_and_unreadable_times_are_no_reason_to_leave_a_job_out() {
    JobSummary job =
        only(
            "{\"jobId\":5,\"jobStatus\":\"RESTARTING\",\"createTime\":\"yesterday\","
                + "\"finishTime\":17}");
    assertThat(job.status()).isEqualTo(JobStatus.UNKNOWABLE);
    assertThat(job.created()).isNull();
    assertThat(job.ended()).isNull();
    String long200 = "\"" + "R".repeat(200) + "\"";
    assertThat(only("{\"jobId\":5,\"jobStatus\":" + long200 + "}").status())
        .isEqualTo(JobStatus.UNKNOWABLE);
  }

  @Test
  void members_of_deeper_objects_are_not_the_jobs_own() {
    assertThat(
            only(
                "{\"metrics\":{\"jobId\":\"6\",\"jobName\":\"inner\"},\"jobId\":\"5\","
                    + "\"jobDag\":\"{\\\"jobId\\\":7}\",\"list\":[{\"jobStatus\":\"FAILED\"}]}"))
        .isEqualTo(new JobSummary(5, null, JobStatus.UNKNOWABLE, false, null, null));
  }

  @Test
  void damaged_lists_are_complete_only_where_a_strict_parser_takes_them_too() throws IOException {
    Random random = new Random(3);
    ObjectMapper strict =
        new ObjectMapper()
            .enable(com.fasterxml.jackson.databind.DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    List<Recording> lists = lists();
    int whole = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] list = lists.get(i % lists.size()).body().clone();
      list[random.nextInt(list.length)] =
          random.nextBoolean()
              ? (byte) random.nextInt(128)
              : (byte) "[]{},:\"\\0".charAt(random.nextInt(9));
      if (scanned(list, 1 + random.nextInt(5_000), 4096).complete()) {
        whole++;
        String text = new String(list, StandardCharsets.ISO_8859_1);
        assertThat(strict.readTree(text).isArray()).as(text).isTrue();
      }
    }
    assertThat(whole).isBetween(1_000, 19_000);
  }

  @Test
  void a_list_longer_than_the_bound_is_refused_and_one_as_long_is_read() {
    byte[] list = ("[" + JOB + "]").getBytes(StandardCharsets.UTF_8);
    for (int over = 0; over < 2; over++) {
      JobListScanner scanner =
          new JobListScanner(list.length - over, 4096, false, Objects::requireNonNull);
      scanner.feed(list);
      assertThat(scanner.complete()).isEqualTo(over == 0);
    }
  }

  @Test
  void a_list_of_two_hundred_megabytes_leaves_nothing_behind_but_its_jobs() {
    byte[] head = ("[{\"jobId\":5,\"jobDag\":\"").getBytes(StandardCharsets.UTF_8);
    byte[] graph =
        "{\\\"vertexId\\\":1,\\\"type\\\":\\\"source\\\"}"
            .repeat(1_000)
            .getBytes(StandardCharsets.UTF_8);
    byte[] tail = "\",\"metrics\":{\"a\":\"1\"}},".getBytes(StandardCharsets.UTF_8);
    byte[] next = "{\"jobId\":6,\"jobDag\":\"".getBytes(StandardCharsets.UTF_8);
    JobListScanner scanner =
        new JobListScanner(ZetaJobLists.MAX_LIST_BYTES, 4096, false, jobs::add);
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    scanner.feed(head);
    long before = threads.getCurrentThreadAllocatedBytes();
    long fed = 0;
    for (; fed < 200_000_000; fed += graph.length) {
      scanner.feed(graph);
      if (fed > 100_000_000 && jobs.isEmpty()) {
        scanner.feed(tail);
        scanner.feed(next);
      }
    }
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;
    assertThat(scanner.feed("\"}]".getBytes(StandardCharsets.UTF_8))).isTrue();
    assertThat(scanner.complete()).isTrue();
    assertThat(jobs).hasSize(2);
    assertThat(allocated).as("bytes allocated meanwhile").isLessThan(1 << 20);
  }
}
