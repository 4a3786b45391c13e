package io.headgate.kit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Asks a gateway on loopback, and fails on every answer that {@link ApiContract} lacks. */
public final class ContractClient {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final ApiContract contract = ApiContract.ofTheProgram();
  private final HttpClient client;
  private final int port;
  private final String basePath;

  public ContractClient(int port, String basePath, HttpClient.Version version) {
    this.port = port;
    this.basePath = basePath;
    client = HttpClient.newBuilder().version(version).build();
  }

  /** Over HTTP/1.1. */
  public ContractClient(int port, String basePath) {
    this(port, basePath, HttpClient.Version.HTTP_1_1);
  }

  public ApiContract contract() {
    return contract;
  }

  public HttpResponse<String> get(String path, String... headers) {
    return ask("GET", path, null, headers);
  }

  /** With a body of JSON. */
  public HttpResponse<String> ask(
      String method, String path, @Nullable String body, String... headers) {
    byte[] bytes = body == null ? null : body.getBytes(StandardCharsets.UTF_8);
    return ask(method, path, "application/json", bytes, headers);
  }

  /**
   * @param path with its query, without the base path
   */
  public HttpResponse<String> ask(
      String method, String path, String type, byte @Nullable [] body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + based(path)))
            .timeout(PATIENCE)
            .method(
                method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
    if (body != null) {
      request.header("Content-Type", type);
    }
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
      contract.check(method, raw(path), response.statusCode(), response.headers(), response.body());
      return response;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Sends a head, and perhaps a part of a body, as it stands here, and takes one answer. */
  public RawResponse send(String method, String path, String version, String rest) {
    try (RawClient raw = new RawClient(port)) {
      String line = method + " " + based(path) + " " + version + "\r\n";
      RawResponse response = raw.send(line + rest).response(PATIENCE);
      TreeMap<String, List<String>> headers = new TreeMap<>();
      response.headers().forEach((name, value) -> headers.put(name, List.of(value)));
      contract.check(
          method,
          raw(path),
          response.status(),
          HttpHeaders.of(headers, (name, value) -> true),
          response.body());
      return response;
    }
  }

  private static String raw(String path) {
    return path.indexOf('?') < 0 ? path : path.substring(0, path.indexOf('?'));
  }

  private String based(String path) {
    boolean based = !path.startsWith("/health") && !path.startsWith("/metrics");
    return based ? basePath + path : path;
  }
}
