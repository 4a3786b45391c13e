package io.headgate.edge;

import static io.headgate.kit.ReportingGateway.ENGINES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.graph.Unavailability;
import io.headgate.kit.RawClient;
import io.headgate.kit.RawResponse;
import io.headgate.kit.RecordedReport;
import io.headgate.kit.ReportingGateway;
import io.headgate.timeline.TimelineUnavailableException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What engines post of their events, and what they are told. */
class EngineReportRouteTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final String STORED = "{\"result\":\"STORED\"}";

  /** Each test has jobs of its own. */
  private static final AtomicLong JOBS = new AtomicLong(1_000);

  private static ReportingGateway gateway;

  @BeforeAll
  static void start() {
    gateway = new ReportingGateway();
  }

  @AfterAll
  static void stop() {
    gateway.close();
  }

  private static long newJob() {
    return JOBS.incrementAndGet();
  }

  private static String event(long job, long createdAt) {
    return event(job, createdAt, "SCHEMA_CHANGE_ADD_COLUMN");
  }

  private static String event(long job, long createdAt, String type) {
    return ("{\"jobId\":\"%d\",\"createdTime\":%d,\"eventType\":\"%s\",\"tablePath\":"
            + "{\"databaseName\":\"shop\",\"tableName\":\"orders\"},\"statement\":\"alter\"}")
        .formatted(job, createdAt, type);
  }

  private static String batch(String... events) {
    return "[" + String.join(",", events) + "]";
  }

  private static void assertStored(HttpResponse<String> response) {
    assertThat(response.body()).isEqualTo(STORED);
    assertThat(response.statusCode()).isEqualTo(200);
  }

  private static void assertSays(HttpResponse<String> response, ErrorCode code) {
    assertThat(response.body()).isEqualTo(code.body());
    assertThat(response.statusCode()).isEqualTo(code.status());
    assertThat(response.headers().firstValue("retry-after").isPresent())
        .isEqualTo(code.status() == 503);
  }

  private static int records(long job) {
    return gateway.store().records(job);
  }

  @ParameterizedTest
  @CsvSource({
    "/event/report,xyz",
    "/event/report,-1",
    "/schema-evolution/events,xyz",
    "/schema-evolution/events,80000000000000000"
  })
  void a_report_whose_chunks_are_broken_is_400(String path, String size) {
    String head =
        "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    double read = gateway.metric("headgate_permits_granted_total{pool=\"reports\"}");
    try (RawClient client = new RawClient(gateway.port())) {
      client.send(head + "Transfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n");
      await()
          .atMost(PATIENCE)
          .until(() -> gateway.metric("headgate_permits_granted_total{pool=\"reports\"}") > read);
      RawClient.Received received = client.send(size + "\r\n").receive(PATIENCE);
      assertThat(received.closed()).isTrue();
      assertThat(RawResponse.all(received.bytes()))
          .singleElement()
          .satisfies(
              answer -> assertThat(answer.body()).isEqualTo(ErrorCode.INVALID_REQUEST.body()));
    }
  }

  // --- what is taken

  @Test
  void T1_recorded_batches_are_taken_as_they_were_posted() {
    long other = gateway.store().records(RecordedReport.CDC_JOB);
    assertThat(other).isZero();
    try (RawClient engine = new RawClient(gateway.port())) {
      for (RecordedReport report : RecordedReport.ofTheCdcJob()) {
        RawResponse answer = engine.send(report.request()).response(PATIENCE);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo(STORED);
      }
    }
    assertThat(records(RecordedReport.CDC_JOB)).isEqualTo(RecordedReport.CDC_EVENTS);
    assertThat(gateway.store().json(RecordedReport.CDC_JOB))
        .contains("\"sourceTable\":\"shop.orders\"", "SCHEMA_CHANGE_UPDATE_COLUMNS")
        .contains("\"stage\":\"OBSERVED\"", "\"stage\":\"NORMALIZED\"");
  }

  @ParameterizedTest
  @CsvSource({
    "2.3.8, 40_event_batch_01",
    "2.3.8, 40_event_batch_04",
    "2.3.8, 40_event_batch_05",
    "2.3.9-SNAPSHOT-20241023-v2, 40_event_batch_01",
    "2.3.9-SNAPSHOT-20241023-v2, 40_event_batch_02",
    "2.3.9-SNAPSHOT-20241023-v2, 50_cdc_event_batch_01",
  })
  void T1_events_of_other_kinds_are_acknowledged_and_nothing_is_stored(String engine, String name) {
    int changes = gateway.store().changes();
    try (RawClient client = new RawClient(gateway.port())) {
      byte[] request = RecordedReport.of(engine, name).request();
      assertThat(client.send(request).response(PATIENCE).body()).isEqualTo(STORED);
    }
    assertThat(gateway.store().changes()).isEqualTo(changes);
  }

  @Test
  void T1_a_batch_with_many_jobs_makes_one_change_of_each() {
    List<Long> jobs = LongStream.range(0, 100).mapToObj(i -> newJob()).toList();
    int changes = gateway.store().changes();
    String body =
        jobs.stream()
            .map(job -> event(job, 1) + "," + event(job, 2))
            .collect(Collectors.joining(",", "[", "]"));
    assertStored(gateway.post(ENGINES, body));
    assertThat(gateway.store().changes()).isEqualTo(changes + jobs.size());
    assertThat(jobs).allSatisfy(job -> assertThat(records(job)).isEqualTo(2));
  }

  @Test
  void L8_an_answer_has_the_headers_of_every_answer() {
    for (String body : List.of("[]", "{}")) {
      HttpResponse<String> response = gateway.post(ENGINES, body);
      assertThat(response.headers().firstValue("content-type")).hasValue("application/json");
      assertThat(response.headers().firstValue("cache-control")).hasValue("private, no-store");
      assertThat(response.headers().firstValue("x-content-type-options")).hasValue("nosniff");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD", "DELETE", "PUT", "PATCH"})
  void other_methods_are_405(String method) {
    String length = method.startsWith("P") ? "Content-Length: 2\r\n\r\n[]" : "\r\n";
    try (RawClient client = new RawClient(gateway.port())) {
      String head = method + " " + ENGINES + " HTTP/1.1\r\nHost: localhost\r\n";
      byte[] answer =
          client.send(head + "Connection: close\r\n" + length).receive(PATIENCE).bytes();
      String text = new String(answer, StandardCharsets.ISO_8859_1);
      assertThat(text).startsWith("HTTP/1.1 405 ").containsIgnoringCase("\r\nallow: POST\r\n");
    }
  }

  @Test
  void the_route_stands_under_the_base_path_and_takes_any_query() {
    try (ReportingGateway under = new ReportingGateway("http.basePath", "/gate")) {
      long job = newJob();
      String target = "/gate" + ENGINES + "?tenant=%ff&&x=y=z";
      try (RawClient client = new RawClient(under.port())) {
        String body = batch(event(job, 1));
        String head =
            "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "X-Any: thing\r\nContent-Length: %d\r\n\r\n%s";
        RawResponse answer =
            client.send(head.formatted(target, body.length(), body)).response(PATIENCE);
        assertThat(answer.body()).isEqualTo(STORED);
      }
      assertThat(under.store().records(job)).isEqualTo(1);
      assertSays(under.post(ENGINES, "[]"), ErrorCode.NOT_FOUND);
    }
  }

  // --- T1a: what never refuses, and what does

  @Test
  void T1a_what_stands_in_an_event_never_refuses_a_batch() {
    long job = newJob();
    double unreadable = gateway.events("unreadable");
    double overBound = gateway.events("over-bound");
    double others = gateway.events("other-kind");
    double unknown = gateway.metric("headgate_report_unknown_types_total");
    String deep = "{\"a\":".repeat(70) + "1" + "}".repeat(70);
    String longName = event(job, 5).replace("\"orders\"", "\"" + "n".repeat(2_000) + "\"");
    assertStored(
        gateway.post(
            ENGINES,
            batch(
                "null",
                "17",
                "[]",
                "{}",
                event(0, 1),
                deep,
                longName,
                "{\"eventType\":\"READER_MESSAGE_DELAYED\",\"record\":\"row\"}",
                event(job, 6, "SCHEMA_CHANGE_OF_THE_FUTURE"),
                event(job, 7))));
    assertThat(records(job)).isEqualTo(2);
    assertThat(gateway.store().json(job)).contains("\"eventType\":\"UNKNOWN\"");
    assertThat(gateway.events("unreadable") - unreadable).isEqualTo(5);
    assertThat(gateway.events("over-bound") - overBound).isEqualTo(2);
    assertThat(gateway.events("other-kind") - others).isEqualTo(1);
    assertThat(gateway.metric("headgate_report_unknown_types_total") - unknown).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void T1a_what_a_body_has_past_its_bound_is_read_and_discarded(boolean chunked) {
    try (ReportingGateway small = new ReportingGateway("timeline.bodyBytes", "4096")) {
      long job = newJob();
      String events =
          LongStream.range(0, 500)
              .mapToObj(i -> event(job, i))
              .collect(Collectors.joining(",", "[", "]"));
      try (RawClient client = new RawClient(small.port())) {
        client.send(
            "POST "
                + ENGINES
                + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n");
        if (chunked) {
          client.send("Transfer-Encoding: chunked\r\n\r\n");
          for (int from = 0; from < events.length(); from += 1_000) {
            String piece = events.substring(from, Math.min(events.length(), from + 1_000));
            client.send(Integer.toHexString(piece.length()) + "\r\n" + piece + "\r\n");
          }
          client.send("0\r\n\r\n");
        } else {
          client.send("Content-Length: " + events.length() + "\r\n\r\n" + events);
        }
        assertThat(client.response(PATIENCE).body()).isEqualTo(STORED);

        // All was read, so the connection goes on.
        client.send("GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assertThat(client.response(PATIENCE).status()).isEqualTo(200);
      }
      int whole = 4_096 / (event(job, 100).length() + 1);
      assertThat(small.store().records(job)).isBetween(whole - 1, whole + 1);
      assertThat(small.metric("headgate_report_cut_total")).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{}",
        "null",
        "17",
        "[",
        "[1,]",
        "[1",
        "[{\"eventType\":\"A\"}",
        "[]x",
        "[01]"
      })
  void T1a_only_a_body_that_is_no_json_array_is_400(String body) {
    int changes = gateway.store().changes();
    assertSays(gateway.post(ENGINES, body), ErrorCode.INVALID_BODY);
    assertThat(gateway.store().changes()).isEqualTo(changes);
  }

  @Test
  void T1a_a_store_that_fails_is_503_and_the_retry_is_stored() {
    long job = newJob();
    String body = batch(event(job, 1), event(job, 2));
    gateway.store().fail(new TimelineUnavailableException(Unavailability.CLUSTER_TOO_SMALL));
    try {
      assertSays(gateway.post(ENGINES, body), ErrorCode.TIMELINE_TEMPORARILY_UNAVAILABLE);
      assertThat(gateway.reports(503, "cluster-too-small")).isPositive();
    } finally {
      gateway.store().fail(null);
    }
    assertStored(gateway.post(ENGINES, body));
    assertThat(records(job)).isEqualTo(2);
  }

  @Test
  void T1a_a_batch_is_503_if_one_of_its_jobs_is_not_stored_and_the_retry_doubles_none() {
    List<Long> jobs = LongStream.range(0, 40).mapToObj(i -> newJob()).toList();
    String body =
        jobs.stream().map(job -> event(job, 1)).collect(Collectors.joining(",", "[", "]"));
    gateway.store().failFor(jobs.get(17));
    try {
      assertSays(gateway.post(ENGINES, body), ErrorCode.TIMELINE_TEMPORARILY_UNAVAILABLE);
    } finally {
      gateway.store().failFor(0);
    }
    assertStored(gateway.post(ENGINES, body));
    assertThat(jobs).allSatisfy(job -> assertThat(records(job)).isEqualTo(1));
  }

  @Test
  void T1a_a_failure_that_nobody_expects_is_500_without_a_word_of_why() {
    gateway.store().fail(new IllegalStateException("s3cr3t"));
    try {
      assertSays(gateway.post(ENGINES, batch(event(newJob(), 1))), ErrorCode.INTERNAL_ERROR);
    } finally {
      gateway.store().fail(null);
    }
  }

  @Test
  void T1a_a_store_that_hangs_is_503_at_the_deadline_and_the_later_retry_is_stored_once() {
    try (ReportingGateway hasty = new ReportingGateway("admission.deadline", "200ms")) {
      long job = newJob();
      String body = batch(event(job, 1), event(job, 2));
      hasty.store().hold();
      assertSays(hasty.post(ENGINES, body), ErrorCode.TIMELINE_TEMPORARILY_UNAVAILABLE);
      assertThat(hasty.reports(503, "deadline")).isEqualTo(1);
      assertThat(hasty.reportsUnderWay()).as("held until the call has ended").isEqualTo(1);
      hasty.store().release();
      hasty.awaitNothingHeld();
      assertStored(hasty.post(ENGINES, body));
      assertThat(hasty.store().records(job)).isEqualTo(2);
      assertThat(hasty.events("replayed")).isEqualTo(2);
    }
  }

  @Test
  void L15_one_report_more_than_permits_is_503_at_once() {
    try (ReportingGateway narrow = new ReportingGateway("timeline.permits", "1")) {
      narrow.store().hold();
      long job = newJob();
      try (RawClient client = new RawClient(narrow.port())) {
        String body = batch(event(job, 1));
        client.send(
            "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                .formatted(ENGINES, body.length(), body));
        await().atMost(PATIENCE).until(() -> narrow.store().changes() == 1);
        assertSays(narrow.post(ENGINES, body), ErrorCode.TIMELINE_TEMPORARILY_UNAVAILABLE);
        assertThat(narrow.reports(503, "busy")).isEqualTo(1);
        narrow.store().release();
        assertThat(client.response(PATIENCE).body()).isEqualTo(STORED);
      }
      assertThat(narrow.store().records(job)).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void L16_who_leaves_in_the_midst_of_a_body_takes_no_permit_along(int how) {
    int changes = gateway.store().changes();
    String half =
        "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n%s"
            .formatted(ENGINES, batch(event(newJob(), 1)).substring(0, 40));
    RawClient.disconnect(gateway.port(), half.getBytes(StandardCharsets.ISO_8859_1), how);
    gateway.awaitNothingHeld();
    assertThat(gateway.store().changes()).isEqualTo(changes);
  }

  @Test
  void L16_a_body_that_does_not_come_is_408_and_gives_its_permit_back() {
    try (ReportingGateway hasty =
        new ReportingGateway(
            "http.requestDeadline", "600ms",
            "http.headerDeadline", "500ms",
            "admission.deadline", "500ms")) {
      try (RawClient client = new RawClient(hasty.port())) {
        client.send(
            "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n["
                .formatted(ENGINES));
        RawResponse answer = client.response(PATIENCE);
        assertThat(answer.status()).isEqualTo(408);
        assertThat(answer.body()).isEqualTo(ErrorCode.REQUEST_TIMEOUT.body());
      }
      assertThat(hasty.reports(408, "request-timeout")).isEqualTo(1);
    }
  }

  // --- T1b: the same again

  @Test
  void T1b_a_batch_whose_answer_was_lost_makes_no_record_twice() {
    long job = newJob();
    String body = batch(event(job, 1), event(job, 1), event(job, 2));
    byte[] request =
        ("POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                .formatted(ENGINES, body.length(), body))
            .getBytes(StandardCharsets.ISO_8859_1);
    for (int how = 0; how < 3; how++) {
      RawClient.disconnect(gateway.port(), request, how);
    }
    gateway.awaitNothingHeld();
    assertStored(gateway.post(ENGINES, body));
    assertThat(records(job)).as("twins of one batch stay two").isEqualTo(3);
    assertStored(gateway.post(ENGINES, batch(event(job, 2), event(job, 3))));
    assertThat(records(job)).as("old followed by new").isEqualTo(4);
  }

  @Test
  void T1b_batches_that_two_masters_post_at_once_are_each_stored() throws Exception {
    long job = newJob();
    List<Thread> masters = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Thread master = new Thread(() -> gateway.post(ENGINES, batch(event(job, 1), event(job, 2))));
      master.start();
      masters.add(master);
    }
    for (Thread master : masters) {
      master.join();
    }
    assertStored(gateway.post(ENGINES, batch(event(job, 1), event(job, 2))));
    assertThat(records(job)).isEqualTo(2);
  }
}
