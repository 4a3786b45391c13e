package io.headgate.peer;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Stands between an engine and the gateway that it reports to: hands each report on as it is, gives
 * back the status, and keeps the text, so that a test can tell what the gateway was told. Closed by
 * whoever starts it.
 */
final class ReportRelay implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final List<String> HANDED_ON = List.of("Content-Type", "Authorization");

  private final HttpServer server;
  private final URI gateway;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final List<String> taken = new CopyOnWriteArrayList<>();

  private ReportRelay(HttpServer server, URI gateway) {
    this.server = server;
    this.gateway = gateway;
  }

  /**
   * @param gateway scheme, host and port; it need not answer yet
   */
  static ReportRelay to(URI gateway) {
    try {
      var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
      var relay = new ReportRelay(HttpServer.create(address, 0), gateway);
      relay.server.createContext("/", relay::handOn);
      relay.server.start();
      return relay;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void handOn(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      HttpRequest.Builder request =
          HttpRequest.newBuilder(gateway.resolve(exchange.getRequestURI().toString()))
              .timeout(PATIENCE)
              .POST(HttpRequest.BodyPublishers.ofByteArray(body));
      for (String name : HANDED_ON) {
        String value = exchange.getRequestHeaders().getFirst(name);
        if (value != null) {
          request.header(name, value);
        }
      }
      int status =
          client.send(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode();
      if (status / 100 == 2) {
        taken.add(new String(body, StandardCharsets.UTF_8));
      }
      exchange.sendResponseHeaders(status, -1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Where the engine reports to. */
  URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** The reports that the gateway has taken. */
  List<String> taken() {
    return List.copyOf(taken);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
