package io.headgate.edge;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/**
 * What the program brings along to be served, kept as whole answers: the files of the page, and the
 * document of its routes.
 *
 * @param page what {@code ui/} serves
 * @param document what {@code openapi.yaml} is
 */
public record PackagedFiles(PageFiles page, Reply document) {
  /**
   * Reads them all, once for a deployment. Blocks on the class path; not for an event loop.
   *
   * @throws IllegalStateException if one is missing, which is a fault of the build
   */
  public static PackagedFiles read(HttpConfig config) {
    return new PackagedFiles(PageFiles.read(), ApiDocument.under(config.basePath()));
  }

  /** What a file on the class path holds; its name is absolute, or relative to this package. */
  static byte[] bytes(String name) {
    try (InputStream in = PackagedFiles.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("missing from the class path: " + name);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
