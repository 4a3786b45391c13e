package io.headgate.edge.fn;

import static io.headgate.fn.kit.FnGateway.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.Status;
import io.headgate.fn.BundleFailure;
import io.headgate.fn.BundleHandle;
import io.headgate.fn.BundleInput;
import io.headgate.fn.BundleStatus;
import io.headgate.fn.kit.FnGateway;
import io.headgate.fn.kit.Samples;
import io.headgate.fn.kit.TestHarness;
import io.headgate.kit.RawClient;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpVersion;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The port itself: health, dead connections, its end. */
class FnPortTest {
  private static String check(HttpClient client, int port, Buffer question) {
    Buffer message =
        Buffer.buffer().appendByte((byte) 0).appendInt(question.length()).appendBuffer(question);
    return get(
        client
            .request(HttpMethod.POST, port, "127.0.0.1", "/grpc.health.v1.Health/Check")
            .compose(request -> request.putHeader("content-type", "application/grpc").send(message))
            .compose(
                response ->
                    response
                        .body()
                        .map(
                            body -> {
                              String status = response.getHeader("grpc-status");
                              if (status == null) {
                                status = response.getTrailer("grpc-status");
                              }
                              return status + java.util.Arrays.toString(body.getBytes());
                            })));
  }

  @Test
  void F9_health_is_answered_for_the_port_and_for_each_service() {
    try (FnGateway gateway = FnGateway.open()) {
      HttpClient client =
          gateway
              .vertx()
              .createHttpClient(
                  new HttpClientOptions()
                      .setProtocolVersion(HttpVersion.HTTP_2)
                      .setHttp2ClearTextUpgrade(false));
      String serving = "0[0, 0, 0, 0, 2, 8, 1]";
      assertThat(check(client, gateway.port(), Buffer.buffer())).isEqualTo(serving);
      String control = "org.apache.beam.fn.v1.BeamFnControl";
      assertThat(check(client, gateway.port(), service(control))).isEqualTo(serving);
      assertThat(check(client, gateway.port(), service("made.Up"))).startsWith("5");
      get(client.close());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.0\r\n\r\n",
        "POST /grpc.health.v1.Health/Check HTTP/1.1\r\nHost: a\r\nContent-Type: application/grpc\r\n"
            + "Content-Length: 5\r\n\r\n\0\0\0\0\0",
        "POST /org.apache.beam.fn.v1.BeamFnControl/Control HTTP/1.1\r\nHost: a\r\n"
            + "Content-Type: application/grpc\r\nTransfer-Encoding: chunked\r\n\r\n"
      })
  void F9_what_is_no_http2_is_refused_and_its_connection_closed(String request) {
    try (FnGateway gateway = FnGateway.open();
        RawClient client = new RawClient(gateway.port())) {
      RawClient.Received received = client.send(request).receive(Duration.ofSeconds(30));
      assertThat(received.closed()).isTrue();
      assertThat(received.text()).matches("(?s)HTTP/1\\.[01] 505 .*").doesNotContain("HTTP/1.1 2");
      assertThat(received.text().toLowerCase(Locale.ROOT))
          .contains("connection: close", "http/2 only")
          .doesNotContain("grpc-status");
    }
  }

  private static Buffer service(String name) {
    return Buffer.buffer()
        .appendByte((byte) 10)
        .appendByte((byte) name.length())
        .appendString(name);
  }

  @Test
  void F2_a_connection_whose_other_end_says_nothing_any_more_is_closed() throws IOException {
    Vertx vertx = Vertx.vertx();
    AtomicBoolean closed = new AtomicBoolean();
    HttpServer server =
        vertx
            .createHttpServer()
            .requestHandler(request -> {})
            .connectionHandler(
                connection -> {
                  Keepalive.watch(vertx, connection, 200);
                  connection.shutdownHandler(v -> {});
                });
    int port = get(server.listen(0, "127.0.0.1")).actualPort();
    try (Socket silent = new Socket("127.0.0.1", port)) {
      silent
          .getOutputStream()
          .write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      silent.getOutputStream().write(new byte[] {0, 0, 0, 4, 0, 0, 0, 0, 0}); // no settings
      InputStream in = silent.getInputStream();
      Thread reader =
          new Thread(
              () -> {
                try {
                  while (in.read() >= 0) {
                    // settings, and pings that nobody answers
                  }
                  closed.set(true);
                } catch (IOException e) {
                  closed.set(true);
                }
              });
      reader.start();
      await().untilTrue(closed);
    } finally {
      get(vertx.close());
    }
  }

  @Test
  void F2_a_stop_lets_bundles_finish_and_takes_no_new_ones() {
    FnGateway gateway = FnGateway.open();
    try (TestHarness harness = TestHarness.connect(gateway.port(), "w1").echoing();
        TestHarness silent = TestHarness.connect(gateway.port(), "w2")) {
      gateway.register("d1");
      BundleHandle bundle = gateway.start("w1", "d1");
      Future<Buffer> output = gateway.collect(bundle);
      BundleInput input = get(bundle.input(Samples.IN));
      input.write(Buffer.buffer("finished, "));
      Future<Void> stopped = gateway.stop();
      input.write(Buffer.buffer("not cut off"));
      input.end();
      assertThat(get(output)).hasToString("finished, not cut off");
      get(stopped);
      assertThat(harness.control().ended()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(silent.control().ended()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(gateway.ended(bundle).phase()).isEqualTo(BundleStatus.Phase.SUCCEEDED);
    } finally {
      gateway.close();
    }
  }

  @Test
  void F2_a_stop_fails_what_does_not_finish() {
    FnGateway gateway = FnGateway.open();
    try (TestHarness harness = TestHarness.connect(gateway.port(), "w1")) {
      gateway.register("d1");
      BundleHandle bundle = gateway.start("w1", "d1");
      harness.takeRegister();
      harness.takeBundle();
      Future<BundleStatus> ended = bundle.ended();
      get(gateway.stop());
      assertThat(get(ended).failure()).isEqualTo(BundleFailure.STOPPING);
    } finally {
      gateway.close();
    }
  }
}
