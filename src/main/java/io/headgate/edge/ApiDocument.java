package io.headgate.edge;

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
   * The answer to whoever asks for it; made once for a deployment. Blocks on the class path.
   *
   * @param basePath what stands in front of the routes, or an empty text
   * @throws IllegalStateException if the program lacks the file
   */
  static Reply under(String basePath) {
    String text = new String(PackagedFiles.bytes(FILE), StandardCharsets.UTF_8);
    if (!basePath.isEmpty()) {
      text = text.replace(SERVERS, SERVERS.replace("/\n", basePath + "\n"));
    }
    return Reply.document("application/yaml", text.getBytes(StandardCharsets.UTF_8));
  }
}
