package io.headgate.edge;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * {@code GET {basePath}/openapi.yaml}: every route, as the deployment that is asked has it. The
 * file is written by hand, and a test holds it against the routes and what they answer.
 */
final class ApiDocument {
  private static final String FILE = "openapi.yaml";

  /** What the file says of the routes that stand behind a base path, where there is none. */
  private static final String SERVERS = "\nservers:\n  - url: /\n";

  private ApiDocument() {}

  /**
   * The answer to whoever asks for it; made once for a deployment.
   *
   * @param basePath what stands in front of the routes, or an empty text
   * @throws UncheckedIOException if the program lacks the file
   */
  static Reply under(String basePath) {
    String text = text();
    if (!basePath.isEmpty()) {
      text = text.replace(SERVERS, SERVERS.replace("/\n", basePath + "\n"));
    }
    return Reply.document("application/yaml", text.getBytes(StandardCharsets.UTF_8));
  }

  private static String text() {
    try (InputStream in = ApiDocument.class.getResourceAsStream(FILE)) {
      if (in == null) {
        throw new UncheckedIOException(new IOException("the program lacks " + FILE));
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
