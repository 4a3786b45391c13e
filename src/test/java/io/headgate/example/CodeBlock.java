package io.headgate.example;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A block of code on a page for users.
 *
 * @param page where it stands
 * @param mark what stands behind the three backquotes that open it
 * @param text what is in it, with its last line break
 */
record CodeBlock(Path page, String mark, String text) {
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```([^\n]*)\n(.*?)^```");

  /** Those of one page, in order. */
  static List<CodeBlock> of(Path page) {
    try {
      return BLOCK
          .matcher(Files.readString(page))
          .results()
          .map(block -> new CodeBlock(page, block.group(1), block.group(2)))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Those of all pages in English; translations have the same, which another test sees to. */
  static List<CodeBlock> ofAllPages() {
    try (Stream<Path> below = Files.list(Path.of("docs"))) {
      return Stream.concat(Stream.of(Path.of("README.md"), Path.of("CONTRIBUTING.md")), below)
          .filter(page -> page.toString().endsWith(".md"))
          .filter(page -> !page.toString().endsWith(".zh.md"))
          .sorted()
          .flatMap(page -> of(page).stream())
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether it is the configuration of a gateway. */
  boolean isConfiguration() {
    String first = text.lines().findFirst().orElse("");
    return mark.equals("yaml") || mark.isEmpty() && first.matches("[a-z]\\w+:");
  }

  /** Whether it is JSON, with nothing left out. */
  boolean isJson() {
    boolean json = mark.isEmpty() || mark.startsWith("json");
    return json && (text.startsWith("{") || text.startsWith("[")) && !text.contains("…");
  }

  @Override
  public String toString() {
    return page + ": " + text.lines().findFirst().orElse("");
  }
}
