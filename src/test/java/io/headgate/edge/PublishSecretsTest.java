package io.headgate.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.kit.LoggedLines;
import io.headgate.kit.PublicationBody;
import io.headgate.kit.PublishingGateway;
import io.headgate.kit.RawClient;
import io.headgate.kit.RawHttp2;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** E-C4: what a publication says comes out nowhere but in its job's lineage. */
class PublishSecretsTest {
  private static final String SECRET = "S3cretS3cret";
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final List<String> answers = new ArrayList<>();

  @Test
  void nothing_of_a_publication_comes_out() {
    try (LoggedLines log = LoggedLines.detailed();
        PublishingGateway gateway = new PublishingGateway("http.requestDeadline", "6s")) {
      for (String request : requests()) {
        answers.add(raw(gateway, request));
      }
      gateway.directory().fail(new IllegalStateException(SECRET));
      answers.add(raw(gateway, PublicationBody.of(7).request()));
      answers.add(overHttp2(gateway));
      answers.add(gateway.get("/metrics").body());
      log.assertFreeOf(SECRET);
    }
    assertThat(answers).allSatisfy(PublishSecretsTest::assertClean);
    for (String status : new String[] {"400", "403", "413", "415", "422", "500"}) {
      assertThat(answers).anyMatch(answer -> answer.startsWith("HTTP/1.1 " + status));
    }
  }

  private static void assertClean(String text) {
    assertThat(text).doesNotContainIgnoringCase(SECRET);
  }

  private static List<String> requests() {
    PublicationBody body = PublicationBody.of(7);
    String dag = body.graph();
    List<String> requests = new ArrayList<>();
    for (String json :
        List.of(
            body.status(SECRET).json(),
            body.extra(",\"" + SECRET + "\":\"" + SECRET + "\"").json(),
            body.graph("\"" + SECRET + "\"").json(),
            body.graph(dag.replace("\"7\"", "\"" + SECRET + "\"")).json(),
            body.graph(dag.replace("\"source\"", "\"" + SECRET + "\"")).json(),
            body.graph(dag.replace("stage 1", SECRET + "\\ud800")).json(),
            body.graph(dag.replace("stage 1", SECRET.repeat(400))).json(),
            body.graph(dag.replace("\"1\":[", "\"" + SECRET + "\":[")).json(),
            body.graph(
                    dag.replace("\"envOptions\":{}", "\"envOptions\":{\"a\":\"" + SECRET + "\"}"))
                .json(),
            SECRET,
            "\"" + SECRET + "\"",
            "{\"" + SECRET)) {
      requests.add(PublicationBody.request(7, json, ""));
    }
    for (String header :
        List.of(
            "Origin: http://" + SECRET,
            "Sec-Fetch-Site: " + SECRET,
            "Content-Encoding: " + SECRET,
            "Expect: " + SECRET,
            "X: " + SECRET)) {
      requests.add(PublicationBody.request(7, body.json(), header + "\r\n"));
    }
    requests.add(body.request().replace("application/json", SECRET + "/" + SECRET));
    requests.add(body.request().replace("localhost", SECRET + ".example"));
    requests.add(body.request().replace("/jobs/7", "/jobs/" + SECRET));
    requests.add(PublicationBody.head(7, "Transfer-Encoding: chunked\r\n") + SECRET + "\r\n");
    requests.add(
        PublicationBody.head(7, "Transfer-Encoding: chunked\r\n")
            + "2\r\n{}\r\n"
            + SECRET
            + "\r\n");
    return requests;
  }

  private static String raw(PublishingGateway gateway, String request) {
    try (RawClient client = new RawClient(gateway.port())) {
      String closing = request.replaceFirst("\r\n", "\r\nConnection: close\r\n");
      return client.send(closing).receive(PATIENCE).text();
    }
  }

  private static String overHttp2(PublishingGateway gateway) {
    try (RawHttp2 client = new RawHttp2(gateway.port()).settings()) {
      byte[] head =
          RawHttp2.head("PUT", "/jobs/7/graph", "content-type", "application/json", "x", SECRET);
      client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, head);
      client.send(RawHttp2.DATA, RawHttp2.END_STREAM, 1, ("{\"" + SECRET).getBytes());
      RawHttp2.Answer answer = client.answer(1);
      return answer.headers() + answer.body();
    }
  }
}
