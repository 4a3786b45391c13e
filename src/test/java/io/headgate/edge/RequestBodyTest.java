package io.headgate.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.kit.JobInfo;
import io.headgate.kit.LoggedLines;
import io.headgate.kit.PublicationBody;
import io.headgate.kit.PublishingGateway;
import io.headgate.kit.RawClient;
import io.headgate.kit.RawHttp2;
import io.headgate.kit.RawResponse;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies of requests on the wire: whole, too long, broken, and never ending. */
class RequestBodyTest {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int CAP = 2_048;
  private static final int NO_ERROR = 0;
  private static final String CHUNKED = "Transfer-Encoding: chunked\r\n";
  private static final String CLOSE = "Connection: close\r\n";
  private static final String GET =
      "GET /job-lineage/7 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

  private static PublishingGateway gateway;

  @BeforeAll
  static void start() {
    gateway =
        new PublishingGateway(
            "source.directory.bodyBytes",
            Integer.toString(CAP),
            "admission.freshness",
            "0",
            "admission.deadline",
            "900ms",
            "http.requestDeadline",
            "1s",
            "http.headerDeadline",
            "1s");
  }

  @AfterAll
  static void stop() {
    gateway.close();
  }

  @AfterEach
  void nothing_is_held() {
    gateway.awaitNothingHeld();
  }

  /** A publication of job 7 that is this long. */
  private static String body(int length) {
    String body = PublicationBody.of(7).json();
    return body + " ".repeat(length - body.length());
  }

  private static String chunks(String body, int size) {
    StringBuilder chunked = new StringBuilder();
    for (int at = 0; at < body.length(); at += size) {
      String chunk = body.substring(at, Math.min(at + size, body.length()));
      chunked.append(Integer.toHexString(chunk.length())).append("\r\n").append(chunk);
      chunked.append("\r\n");
    }
    return chunked + "0\r\n\r\n";
  }

  private static List<RawResponse> answers(String... sent) {
    try (RawClient client = new RawClient(gateway.port())) {
      for (String part : sent) {
        client.send(part);
      }
      RawClient.Received received = client.receive(PATIENCE);
      assertThat(received.closed()).isTrue();
      return RawResponse.all(received.bytes());
    }
  }

  private static void assertClosing(RawResponse response, ErrorCode code) {
    assertThat(response.status()).isEqualTo(code.status());
    assertThat(response.body()).isEqualTo(code.body());
    assertThat(response.headers()).containsEntry("connection", "close");
  }

  @Test
  void a_body_at_the_cap_is_read_and_one_byte_more_is_413_by_its_declared_length() {
    RawResponse at = answers(PublicationBody.request(7, body(CAP), CLOSE)).get(0);
    assertThat(at.status()).isEqualTo(200);

    double permits = gateway.metric("headgate_permits_granted_total{pool=\"publications\"}");
    List<RawResponse> over = answers(PublicationBody.request(7, body(CAP + 1), ""));
    assertThat(over).singleElement().satisfies(r -> assertClosing(r, ErrorCode.BODY_TOO_LARGE));
    assertThat(gateway.metric("headgate_permits_granted_total{pool=\"publications\"}"))
        .as("the head was enough")
        .isEqualTo(permits);
    assertThat(answers(PublicationBody.head(7, "Content-Length: 9223372036854775807\r\n")).get(0))
        .satisfies(r -> assertClosing(r, ErrorCode.BODY_TOO_LARGE));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 1_000, CAP})
  void the_same_in_chunks(int size) {
    String head = PublicationBody.head(7, CHUNKED + CLOSE);
    assertThat(answers(head + chunks(body(CAP), size)))
        .singleElement()
        .satisfies(response -> assertThat(response.status()).isEqualTo(200));
    assertThat(answers(head + chunks(body(CAP + 1), size)))
        .singleElement()
        .satisfies(response -> assertClosing(response, ErrorCode.BODY_TOO_LARGE));
  }

  @Test
  void a_body_that_comes_in_pieces_is_read_as_one() {
    byte[] request = PublicationBody.request(7, body(900), CLOSE).getBytes();
    try (RawClient client = new RawClient(gateway.port())) {
      for (int at = 0; at < request.length; at += 100) {
        client.send(Arrays.copyOfRange(request, at, Math.min(at + 100, request.length)));
      }
      assertThat(client.receive(PATIENCE).status()).isEqualTo(200);
    }
    assertThat(gateway.get("/job-lineage/7").body()).isEqualTo(JobInfo.of(7).lineage());
  }

  @Test
  void after_a_body_that_was_read_the_connection_goes_on() {
    String put = PublicationBody.request(7, body(900), "");
    String chunked = PublicationBody.head(7, CHUNKED) + chunks(body(900), 100);
    String delete = "DELETE /jobs/8/graph HTTP/1.1\r\nHost: localhost\r\n\r\n";
    String malformed = PublicationBody.request(7, "[]", "");
    assertThat(answers(put + chunked + malformed + delete + put + GET))
        .extracting(RawResponse::status)
        .containsExactly(200, 200, 400, 404, 200, 200);
    assertThat(answers(put, chunked, malformed, delete, put, GET))
        .extracting(RawResponse::status)
        .containsExactly(200, 200, 400, 404, 200, 200);
  }

  @Test
  void after_a_body_that_was_not_read_it_does_not() {
    String put = PublicationBody.request(7, body(900), "Origin: http://elsewhere\r\n");
    assertThat(answers(put + GET))
        .singleElement()
        .satisfies(response -> assertClosing(response, ErrorCode.CROSS_SITE));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "xyz\r\n{}\r\n0\r\n\r\n",
        "2\r\n{}xx0\r\n\r\n",
        "-2\r\n{}\r\n0\r\n\r\n",
        "80000000000000000\r\n{}",
        "2\r\n{}\r\n0\r\nX y: z\r\n\r\n"
      })
  void a_body_whose_chunks_are_broken_is_400_and_the_connection_ends(String chunks) {
    try (LoggedLines log = LoggedLines.all()) {
      assertThat(answers(PublicationBody.head(7, CHUNKED) + chunks + GET))
          .singleElement()
          .satisfies(response -> assertClosing(response, ErrorCode.INVALID_REQUEST));
      assertThat(log.faults()).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({"true, true", "true, false", "false, true", "false, false"})
  void a_client_that_leaves_midway_is_forgotten(boolean chunked, boolean reset) {
    double left = gateway.metric("headgate_clients_left_total");
    RawClient client = new RawClient(gateway.port());
    client.send(
        chunked
            ? PublicationBody.head(7, CHUNKED) + "10\r\n{\"epoch\""
            : PublicationBody.head(7, "Content-Length: 500\r\n") + "{\"epoch\"");
    await().atMost(PATIENCE).until(() -> gateway.publicationsUnderWay() == 1);
    if (reset) {
      client.reset();
    } else {
      client.close();
    }
    gateway.awaitNothingHeld();
    assertThat(gateway.metric("headgate_clients_left_total")).isEqualTo(left + 1);
  }

  @Test
  void a_client_that_leaves_after_its_body_has_published_all_the_same() {
    int changes = gateway.directory().changes();
    gateway.directory().hold();
    try (RawClient client = new RawClient(gateway.port())) {
      client.send(PublicationBody.request(9, PublicationBody.of(9).json(), ""));
      await().atMost(PATIENCE).until(() -> gateway.directory().changes() > changes);
      client.reset();
    }
    gateway.directory().release();
    await().atMost(PATIENCE).until(() -> gateway.directory().record(9) != null);
  }

  @Test
  void who_expects_it_is_told_to_continue_once_the_head_has_been_looked_at() {
    String body = body(900);
    String head =
        PublicationBody.head(7, CLOSE + "Expect: 100-continue\r\nContent-Length: 900\r\n");
    try (RawClient client = new RawClient(gateway.port())) {
      String go = "HTTP/1.1 100 Continue\r\n\r\n";
      byte[] said = client.send(head).bytes(go.length(), PATIENCE);
      assertThat(new String(said, StandardCharsets.US_ASCII)).isEqualTo(go);
      assertThat(client.send(body).receive(PATIENCE).status()).isEqualTo(200);
    }
    for (String fault :
        List.of(
            "Origin: null\r\n", "Sec-Fetch-Site: cross-site\r\n", "Content-Encoding: gzip\r\n")) {
      String refused =
          PublicationBody.head(7, fault + "Expect: 100-continue\r\nContent-Length: 900\r\n");
      assertThat(answers(refused))
          .singleElement()
          .satisfies(r -> assertThat(r.status()).isIn(403, 415));
    }
    String long100 =
        PublicationBody.head(7, "Expect: 100-continue\r\nContent-Length: " + (CAP + 1) + "\r\n");
    assertThat(answers(long100))
        .singleElement()
        .satisfies(response -> assertClosing(response, ErrorCode.BODY_TOO_LARGE));
  }

  @Test
  void an_http_1_0_client_is_not_told_to_continue() {
    String head =
        PublicationBody.head(7, "Expect: 100-continue\r\nContent-Length: 900\r\n")
            .replace("HTTP/1.1", "HTTP/1.0");
    assertThat(answers(head + body(900)))
        .singleElement()
        .satisfies(response -> assertThat(response.status()).isEqualTo(200));
  }

  @Test
  void a_body_that_stops_is_408_at_the_request_deadline() {
    long began = System.nanoTime();
    List<RawResponse> answers = answers(PublicationBody.head(7, "Content-Length: 900\r\n") + "{");
    assertThat(answers)
        .singleElement()
        .satisfies(response -> assertClosing(response, ErrorCode.REQUEST_TIMEOUT));
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofMillis(950));
  }

  @Test
  void an_empty_body_is_no_publication() {
    assertThat(answers(PublicationBody.head(7, CLOSE), ""))
        .singleElement()
        .satisfies(response -> assertClosing(response, ErrorCode.INVALID_BODY));
    assertThat(answers(PublicationBody.head(7, CLOSE + "Content-Length: 0\r\n")))
        .singleElement()
        .satisfies(response -> assertClosing(response, ErrorCode.INVALID_BODY));
  }

  // --- HTTP/2

  private static byte[] head(long jobId, String... headers) {
    String[] all = Arrays.copyOf(headers, headers.length + 2);
    all[headers.length] = "content-type";
    all[headers.length + 1] = "application/json";
    return RawHttp2.head("PUT", "/jobs/" + jobId + "/graph", all);
  }

  private static RawHttp2 put(RawHttp2 client, int stream, String body, String... headers) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, stream, head(7, headers));
    int half = bytes.length / 2;
    client.send(RawHttp2.DATA, 0, stream, Arrays.copyOf(bytes, half));
    return client.send(
        RawHttp2.DATA, RawHttp2.END_STREAM, stream, Arrays.copyOfRange(bytes, half, bytes.length));
  }

  @Test
  void http2_bodies_are_read_and_the_connection_goes_on_whatever_they_are() {
    try (RawHttp2 client = new RawHttp2(gateway.port()).settings()) {
      assertThat(put(client, 1, body(CAP)).answer(1).status()).isEqualTo(200);
      RawHttp2.Answer over = put(client, 3, body(CAP + 1)).answer(3);
      assertThat(over.status()).isEqualTo(413);
      RawHttp2.Answer declared =
          put(client, 5, body(CAP + 1), "content-length", Integer.toString(CAP + 1)).answer(5);
      assertThat(declared.status()).isEqualTo(413);
      assertThat(put(client, 7, "[]").answer(7).status()).isEqualTo(400);
      RawHttp2.Answer crossSite = put(client, 9, body(900), "origin", "null").answer(9);
      assertThat(crossSite.status()).isEqualTo(403);
      assertThat(put(client, 11, body(CAP)).answer(11).status()).isEqualTo(200);
      assertThat(client.get(13, "/job-lineage/7").answer(13).body())
          .isEqualTo(JobInfo.of(7).lineage());
      assertThat(client.goAway()).isEmpty();
    }
  }

  @Test
  void an_http2_body_larger_than_every_window_is_read() throws Exception {
    Vertx vertx = Vertx.vertx();
    try (PublishingGateway own = new PublishingGateway()) {
      HttpClientOptions http2 =
          new HttpClientOptions()
              .setProtocolVersion(HttpVersion.HTTP_2)
              .setHttp2ClearTextUpgrade(false);
      RequestOptions put =
          new RequestOptions()
              .setMethod(HttpMethod.PUT)
              .setHost("localhost")
              .setPort(own.port())
              .setURI("/jobs/7/graph")
              .putHeader("content-type", "application/json");
      HttpClient client = vertx.createHttpClient(http2);
      int status =
          client
              .request(put)
              .compose(request -> request.send(body(3 << 20)))
              .map(HttpClientResponse::statusCode)
              .await(20, TimeUnit.SECONDS);
      assertThat(status).isEqualTo(200);
      client.close(); // not before: Vert.x closes a client that nobody refers to any more
    } finally {
      vertx.close().await(10, TimeUnit.SECONDS);
    }
  }

  @Test
  void an_http2_stream_is_told_to_continue() {
    try (RawHttp2 client = new RawHttp2(gateway.port()).settings()) {
      byte[] head = head(7, "expect", "100-continue");
      client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, head).flush();
      await()
          .atMost(PATIENCE)
          .until(() -> client.count(f -> f.type() == RawHttp2.HEADERS && f.stream() == 1) == 1);
      client.send(RawHttp2.DATA, RawHttp2.END_STREAM, 1, body(900).getBytes());
      assertThat(client.answer(1).status()).isEqualTo(200);
    }
  }

  @Test
  void an_http2_stream_whose_body_stops_is_answered_and_reset_alone() {
    try (RawHttp2 client = new RawHttp2(gateway.port()).settings()) {
      client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, head(7));
      client.send(RawHttp2.DATA, 0, 1, "{".getBytes());
      RawHttp2.Answer late = client.answer(1);
      assertThat(late.status()).isEqualTo(408);
      await().atMost(PATIENCE).until(() -> late.reset().isPresent());
      assertThat(late.reset()).hasValue(NO_ERROR);
      assertThat(put(client, 3, body(900)).answer(3).status()).isEqualTo(200);
    }
  }

  @Test
  void an_http2_client_that_resets_or_leaves_midway_is_forgotten() {
    double left = gateway.metric("headgate_clients_left_total");
    try (RawHttp2 client = new RawHttp2(gateway.port()).settings()) {
      client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, head(7));
      client.send(RawHttp2.DATA, 0, 1, "{".getBytes()).flush();
      await().atMost(PATIENCE).until(() -> gateway.publicationsUnderWay() == 1);
      client.reset(1, 8).flush();
      gateway.awaitNothingHeld();
      client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 3, head(7));
      client.send(RawHttp2.DATA, 0, 3, "{".getBytes()).flush();
      await().atMost(PATIENCE).until(() -> gateway.publicationsUnderWay() == 1);
    } catch (UncheckedIOException e) {
      throw new AssertionError(e);
    }
    gateway.awaitNothingHeld();
    assertThat(gateway.metric("headgate_clients_left_total")).isEqualTo(left + 2);
  }

  @ParameterizedTest
  @CsvSource({"5, 900", "901, 900"})
  void an_http2_body_of_another_length_than_declared_publishes_nothing(int declared, int length) {
    int changes = gateway.directory().changes();
    try (RawHttp2 client = new RawHttp2(gateway.port()).settings()) {
      put(client, 1, body(length), "content-length", Integer.toString(declared));
      RawHttp2.Answer answer = client.answer(1);
      assertThat(answer.status()).isIn(0, 400);
      assertThat(answer.reset()).isPresent();
      assertThat(put(client, 3, body(900)).answer(3).status()).isEqualTo(200);
    }
    assertThat(gateway.directory().changes()).isEqualTo(changes + 1);
  }
}
