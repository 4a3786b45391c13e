package io.headgate.edge.guard;

import static io.headgate.kit.RawHttp2.CONTINUATION;
import static io.headgate.kit.RawHttp2.DATA;
import static io.headgate.kit.RawHttp2.END_HEADERS;
import static io.headgate.kit.RawHttp2.END_STREAM;
import static io.headgate.kit.RawHttp2.HEADERS;
import static io.headgate.kit.RawHttp2.INITIAL_WINDOW_SIZE;
import static io.headgate.kit.RawHttp2.PING;
import static io.headgate.kit.RawHttp2.PRIORITY;
import static io.headgate.kit.RawHttp2.block;
import static io.headgate.kit.RawHttp2.head;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.kit.Certificates;
import io.headgate.kit.JobInfo;
import io.headgate.kit.LoopCpu;
import io.headgate.kit.RawHttp2;
import io.headgate.kit.ScriptedEngine;
import io.headgate.kit.TestGateway;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** E-H1, E-H2: clients that use HTTP/2 as a weapon, over clear text with prior knowledge. */
class Http2AttackTest {
  private static final int FLOOD = 20_000;
  private static final Duration SOON = Duration.ofSeconds(15);
  private static final Duration CHEAP = Duration.ofSeconds(1);

  private static final int NO_ERROR = 0;
  private static final int PROTOCOL_ERROR = 1;
  private static final int REFUSED_STREAM = 7;
  private static final int CANCEL = 8;
  private static final int ENHANCE_YOUR_CALM = 11;

  private static final String RECENT = "/job-lineage/7";
  private static final String SLOW = "/job-lineage/8";

  private static ScriptedEngine engine;
  private static TestGateway gateway;

  @BeforeAll
  static void start() {
    engine = new ScriptedEngine().otherwise(ScriptedEngine.graphAfter(0));
    engine.job(8, ScriptedEngine.graphAfter(1000));
    gateway = TestGateway.before(engine, "admission.freshness", "1m");
    assertThat(gateway.lineage(7).statusCode()).isEqualTo(200);
  }

  @AfterAll
  static void stop() {
    gateway.close();
    engine.close();
  }

  @AfterEach
  void others_are_served_as_before() {
    assertThat(gateway.lineage(7).body()).isEqualTo(JobInfo.of(7).lineage());
    try (RawHttp2 client = new RawHttp2(gateway.port())) {
      assertThat(client.settings().get(1, RECENT).answer(1).body())
          .isEqualTo(JobInfo.of(7).lineage());
    }
  }

  // --- floods

  static Stream<Arguments> floods() {
    byte[] get = head("GET", RECENT);
    byte[] slow = head("GET", SLOW);
    return Stream.of(
        flood(
            "rapid reset",
            (client, stream) -> client.send(HEADERS, 5, stream, get).reset(stream, CANCEL)),
        flood(
            "rapid reset before an answer",
            (client, stream) -> client.send(HEADERS, 5, stream, slow).reset(stream, CANCEL)),
        flood(
            "resets that the server is made to send",
            (client, stream) -> client.send(HEADERS, 5, stream, slow).window(stream, 0)),
        flood(
            "streams beyond the limit", (client, stream) -> client.send(HEADERS, 5, stream, slow)),
        flood("SETTINGS", (client, stream) -> client.settings(INITIAL_WINDOW_SIZE, 1 << 16)),
        flood("PING", (client, stream) -> client.send(PING, 0, 0, new byte[8])));
  }

  private static Arguments flood(String name, java.util.function.ObjIntConsumer<RawHttp2> frames) {
    return Arguments.of(name, frames);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("floods")
  void a_flood_ends_in_goaway_and_costs_little(
      String name, java.util.function.ObjIntConsumer<RawHttp2> frames) {
    LoopCpu cpu = new LoopCpu();
    try (RawHttp2 client = new RawHttp2(gateway.port()).settings()) {
      for (int stream = 1; stream < 2 * FLOOD && !client.broken(); stream += 2) {
        frames.accept(client, stream);
      }
      client.awaitClosed(SOON);
      assertThat(client.goAway()).hasValue(ENHANCE_YOUR_CALM);
    }
    assertThat(cpu.used()).as(name).isLessThan(CHEAP);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 16_000})
  void a_header_block_that_goes_on_and_on_ends_in_goaway(int bytes) {
    byte[] piece = bytes < 2 ? new byte[bytes] : block("a", "b".repeat(bytes));
    LoopCpu cpu = new LoopCpu();
    try (RawHttp2 client = new RawHttp2(gateway.port()).settings()) {
      client.send(HEADERS, END_STREAM, 1, head("GET", RECENT));
      for (int i = 0; i < FLOOD && !client.broken(); i++) {
        client.send(CONTINUATION, 0, 1, piece);
      }
      client.awaitClosed(SOON);
      assertThat(client.goAway().orElse(NO_ERROR)).isIn(ENHANCE_YOUR_CALM, PROTOCOL_ERROR);
      assertThat(client.received(1)).isZero();
    }
    assertThat(cpu.used()).isLessThan(CHEAP);
  }

  @Test
  void a_small_block_that_unpacks_to_a_large_one_ends_in_goaway() {
    java.io.ByteArrayOutputStream bomb = new java.io.ByteArrayOutputStream();
    bomb.writeBytes(head("GET", RECENT));
    byte[] entry = block("a", "b".repeat(4000));
    entry[0] = 0x40; // with indexing: kept in the table
    bomb.writeBytes(entry);
    for (int i = 0; i < 10_000; i++) {
      bomb.write(0xBE); // the newest entry again
    }
    LoopCpu cpu = new LoopCpu();
    try (RawHttp2 client = new RawHttp2(gateway.port()).settings()) {
      client.send(HEADERS, END_HEADERS | END_STREAM, 1, bomb.toByteArray()).awaitClosed(SOON);
      assertThat(client.goAway()).hasValue(PROTOCOL_ERROR);
    }
    assertThat(cpu.used()).isLessThan(CHEAP);
  }

  /** They cost the client as much as us, so they are borne. */
  @Test
  void frames_that_ask_for_nothing_cost_little() {
    LoopCpu cpu = new LoopCpu();
    try (RawHttp2 client = new RawHttp2(gateway.port()).settings()) {
      for (int i = 0; i < FLOOD / 3; i++) {
        client.send(PRIORITY, 0, 1 + 2 * i, new byte[] {0, 0, 0, 0, 1});
        client.window(0, 1);
        client.send(0x55, 0, 0, new byte[8]); // a type that nobody knows
      }
      assertThat(client.get(1, RECENT).answer(1).status()).isEqualTo(200);
    }
    assertThat(cpu.used()).isLessThan(CHEAP);
  }

  // --- limits

  @Test
  void headers_over_the_limit_are_431_and_the_next_request_is_served() {
    try (RawHttp2 client = new RawHttp2(gateway.port()).settings()) {
      RawHttp2.Answer answer = client.get(1, RECENT, "x", "a".repeat(9000)).answer(1);
      assertThat(answer.status()).isEqualTo(431);
      assertThat(answer.body()).isEmpty();
      assertThat(client.get(3, RECENT).answer(3).status()).isEqualTo(200);
    }
  }

  @Test
  void of_150_streams_at_once_100_are_answered_and_50_refused() {
    try (RawHttp2 client = new RawHttp2(gateway.port()).settings()) {
      engine.job(9, ScriptedEngine.graphAfter(700));
      for (int i = 0; i < 150; i++) {
        client.get(1 + 2 * i, "/job-lineage/9");
      }
      for (int i = 0; i < 100; i++) {
        assertThat(client.answer(1 + 2 * i).body()).isEqualTo(JobInfo.of(9).lineage());
      }
      for (int i = 100; i < 150; i++) {
        assertThat(client.answer(1 + 2 * i).reset()).hasValue(REFUSED_STREAM);
      }
    }
  }

  @Test
  void content_with_get_is_refused_and_endless_content_ends_in_goaway() {
    LoopCpu cpu = new LoopCpu();
    try (RawHttp2 client = new RawHttp2(gateway.port()).settings()) {
      client.send(HEADERS, END_HEADERS, 1, head("GET", RECENT));
      RawHttp2.Answer answer = client.answer(1);
      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.body()).startsWith("{\"code\":\"BODY_NOT_ALLOWED\",");
      assertThat(client.awaitPing().answer(1).reset()).hasValue(NO_ERROR);
      for (int i = 0; i < FLOOD && !client.broken(); i++) {
        client.send(DATA, 0, 1, new byte[10_000]);
      }
      client.awaitClosed(SOON);
    }
    assertThat(cpu.used()).isLessThan(CHEAP);
  }

  @Test
  void content_that_no_route_takes_is_answered_and_not_awaited() {
    try (RawHttp2 client = new RawHttp2(gateway.port()).settings()) {
      client.send(HEADERS, END_HEADERS, 1, head("POST", RECENT));
      assertThat(client.answer(1).status()).isEqualTo(405);
      assertThat(client.awaitPing().answer(1).reset()).hasValue(NO_ERROR);
      assertThat(client.get(3, RECENT).answer(3).status()).isEqualTo(200);
    }
  }

  // --- malformed requests

  static Stream<Arguments> malformed() {
    String[] good = {":method", "GET", ":scheme", "http", ":path", RECENT, ":authority", "a"};
    return Stream.of(
        request("no :path", block(":method", "GET", ":scheme", "http", ":authority", "a")),
        request("no :method", block(":scheme", "http", ":path", RECENT, ":authority", "a")),
        request("no :scheme", block(":method", "GET", ":path", RECENT, ":authority", "a")),
        request("nothing at all", block()),
        request("no :authority", block(":method", "GET", ":scheme", "http", ":path", RECENT)),
        request("user in :authority", with(good, 7, "u@a")),
        request("space in :authority", with(good, 7, "a b")),
        request("port in :authority that is none", with(good, 7, "a:99999")),
        request("empty :authority", with(good, 7, "")),
        request("empty :path", with(good, 5, "")),
        request(":path without a slash", with(good, 5, "job-lineage/7")),
        request("fragment in :path", with(good, 5, RECENT + "#f")),
        request("space in :path", with(good, 5, RECENT + " x")),
        request("control character in :path", with(good, 5, RECENT + "\u0001")),
        request("NUL in :path", with(good, 5, RECENT + "\0")),
        request("DEL in :path", with(good, 5, RECENT + "\u007f")),
        request("byte above 0x7F in :path", with(good, 5, RECENT + "\u00ff")),
        request("long :path", with(good, 5, "/" + "a".repeat(5000))),
        request("space in :method", with(good, 1, "G T")),
        request("empty :method", with(good, 1, "")),
        request("CONNECT", block(":method", "CONNECT", ":authority", "a:1")),
        request("two :path", more(good, ":path", "/job-lineage/9")),
        request("two :authority", more(good, ":authority", "b")),
        request("unknown pseudo header", more(good, ":foo", "bar")),
        request("pseudo header of a response", more(good, ":status", "200")),
        request(
            "pseudo header behind another",
            block(
                ":method", "GET", ":scheme", "http", "x", "y", ":path", RECENT, ":authority", "a")),
        request("upper-case name", more(good, "Xx", "a")),
        request("space in a name", more(good, "x y", "a")),
        request("colon in a name", more(good, "x:y", "a")),
        request("empty name", more(good, "", "a")),
        request("line end in a value", more(good, "x", "a\r\nb: c")),
        request("NUL in a value", more(good, "x", "a\0b")),
        request("space before a value", more(good, "x", " a")),
        request("connection", more(good, "connection", "close")),
        request("keep-alive", more(good, "keep-alive", "timeout=5")),
        request("proxy-connection", more(good, "proxy-connection", "close")),
        request("transfer-encoding", more(good, "transfer-encoding", "chunked")),
        request("upgrade", more(good, "upgrade", "websocket")),
        request("te with a coding", more(good, "te", "gzip")),
        request("another host", more(good, "host", "b")),
        request("two lengths", more(good, "content-length", "0", "content-length", "1")),
        request("length without content", more(good, "content-length", "5")),
        request("length that is none", more(good, "content-length", "+0")));
  }

  private static Arguments request(String name, byte[] block) {
    return Arguments.of(name, block);
  }

  private static byte[] with(String[] good, int at, String bad) {
    String[] all = good.clone();
    all[at] = bad;
    return block(all);
  }

  private static byte[] more(String[] good, String... headers) {
    return block(Stream.concat(Stream.of(good), Stream.of(headers)).toArray(String[]::new));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("malformed")
  void a_malformed_request_is_refused_or_reset(String name, byte[] block) {
    try (RawHttp2 client = new RawHttp2(gateway.port()).settings()) {
      RawHttp2.Answer answer = client.send(HEADERS, 5, 1, block).answer(1);
      if (answer.status() == 0) {
        assertThat(client.closed() || answer.reset().orElse(NO_ERROR) == PROTOCOL_ERROR)
            .as("reset or closed")
            .isTrue();
      } else {
        assertThat(answer.status()).isIn(400, 414);
        assertThat(answer.body()).startsWith("{\"code\":\"");
      }
    }
  }

  static Stream<Arguments> faults() {
    byte[] get = head("GET", RECENT);
    return Stream.of(
        fault("a request before SETTINGS", c -> c.get(1, RECENT)),
        fault("DATA on no stream", c -> c.settings().send(DATA, 0, 0, new byte[1])),
        fault("DATA on a stream that is not open", c -> c.settings().send(DATA, 0, 1, new byte[1])),
        fault("RST_STREAM on one that is not open", c -> c.settings().reset(1, CANCEL)),
        fault("HEADERS on no stream", c -> c.settings().send(HEADERS, 5, 0, get)),
        fault("HEADERS on a stream of the server", c -> c.settings().send(HEADERS, 5, 2, get)),
        fault("CONTINUATION of nothing", c -> c.settings().send(CONTINUATION, 4, 1, get)),
        fault("HEADERS inside HEADERS", c -> c.settings().send(HEADERS, 1, 1, get).get(3, RECENT)),
        fault("PING of seven bytes", c -> c.settings().send(PING, 0, 0, new byte[7])),
        fault("frame over the limit", c -> c.settings().send(DATA, 0, 1, new byte[70_000])),
        fault("window past its limit", c -> c.settings().window(0, Integer.MAX_VALUE)),
        fault("window of no bytes", c -> c.settings().window(0, 0)),
        fault("initial window past its limit", c -> c.settings(INITIAL_WINDOW_SIZE, -1)),
        fault("headers that are none", c -> c.settings().send(HEADERS, 5, 1, new byte[] {-1})));
  }

  private static Arguments fault(String name, Consumer<RawHttp2> frames) {
    return Arguments.of(name, frames);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("faults")
  void a_broken_frame_closes_the_connection(String name, Consumer<RawHttp2> frames) {
    try (RawHttp2 client = new RawHttp2(gateway.port())) {
      frames.accept(client);
      client.awaitClosed(SOON);
      assertThat(client.goAway().orElse(PROTOCOL_ERROR)).as(name).isNotEqualTo(NO_ERROR);
      assertThat(client.received(1)).isZero();
    }
  }

  // --- over TLS

  @Test
  void the_same_over_tls() throws Exception {
    Certificates certificates = Certificates.forLoopback();
    try (TestGateway secure =
        TestGateway.before(
                engine,
                "http.tls.certificate",
                certificates.certificate().toString(),
                "http.tls.key",
                certificates.key().toString())
            .unchecked()) {
      LoopCpu cpu = new LoopCpu();
      try (RawHttp2 client = new RawHttp2(certificates.connect(secure.port(), "h2")).settings()) {
        assertThat(client.get(1, RECENT).answer(1).body()).isEqualTo(JobInfo.of(7).lineage());
        for (int stream = 3; stream < 2 * FLOOD && !client.broken(); stream += 2) {
          client.get(stream, RECENT).reset(stream, CANCEL);
        }
        client.awaitClosed(SOON);
        assertThat(client.goAway()).hasValue(ENHANCE_YOUR_CALM);
      }
      assertThat(cpu.used()).isLessThan(CHEAP);
    }
  }
}
