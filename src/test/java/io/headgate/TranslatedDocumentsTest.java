package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each {@code X.zh.md} shows what {@code X.md} shows, so that nobody changes one alone.
 *
 * <p>A page is a list of parts: a block of code, or a line, as no paragraph has two. Of a line
 * counts what it is, the names in it that are code, where it leads to, and the figures; its words
 * do not.
 */
class TranslatedDocumentsTest {
  private static final Pattern PART = Pattern.compile("(?m)^```[\\s\\S]*?^```|^.+$");
  private static final Pattern MARK = Pattern.compile("^(#+|-|\\d+\\.|>) ");
  private static final Pattern SPAN = Pattern.compile("`[^`]+`");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern FIGURE = Pattern.compile("\\d+([,.]\\d+)*");
  private static final Pattern CELL = Pattern.compile("\\|");
  private static final Pattern NOT_IN_ANCHORS = Pattern.compile("[^\\p{L}\\p{N} _-]");

  static Stream<Path> translations() throws IOException {
    return pages().filter(page -> page.toString().endsWith(".zh.md"));
  }

  private static Stream<Path> pages() throws IOException {
    try (Stream<Path> top = Files.list(Path.of(""));
        Stream<Path> below = Files.walk(Path.of("docs"))) {
      return Stream.concat(top, below)
          .filter(page -> page.toString().endsWith(".md"))
          .sorted()
          .toList()
          .stream();
    }
  }

  @ParameterizedTest
  @MethodSource("translations")
  void a_translation_has_the_parts_of_its_original(Path translation) throws IOException {
    Path original = Path.of(inEnglish(translation.toString()));
    List<String> ours = parts(translation);
    List<String> theirs = parts(original);
    for (int i = 0; i < Math.min(ours.size(), theirs.size()); i++) {
      String both = theirs.get(i) + "\n" + ours.get(i);
      assertThat(shown(ours.get(i))).as(both).isEqualTo(shown(theirs.get(i)));
      assertThat(figures(ours.get(i))).as(both).containsAll(figures(theirs.get(i)));
    }
    assertThat(ours).hasSameSizeAs(theirs);
    assertThat(ours.get(1)).isEqualTo("[English](" + original.getFileName() + ")");
    assertThat(theirs.get(1)).isEqualTo("[中文](" + translation.getFileName() + ")");
  }

  private static String inEnglish(String name) {
    return name.replace(".zh.md", ".md");
  }

  private static List<String> parts(Path page) throws IOException {
    return all(PART, Files.readString(page)).map(MatchResult::group).toList();
  }

  private static Stream<MatchResult> all(Pattern pattern, String text) {
    return pattern.matcher(text).results();
  }

  /** What of a part must be the same in every language. */
  private static List<Object> shown(String part) {
    if (part.startsWith("```")) {
      return List.of(part);
    }
    Matcher mark = MARK.matcher(part);
    String words = SPAN.matcher(part).replaceAll("");
    return List.of(
        mark.find() ? mark.group() : "",
        part.startsWith("|") ? all(CELL, words).count() : 0,
        all(SPAN, part).map(MatchResult::group).sorted().toList(),
        all(LINK, part)
            .map(link -> inEnglish(link.group(1).replaceFirst("#.*", "#")))
            .map(link -> link.equals("#") ? link : link.replace("#", ""))
            .sorted()
            .toList());
  }

  /** A translation may have more of them: not every language writes months in letters. */
  private static List<String> figures(String part) {
    String words = LINK.matcher(SPAN.matcher(part).replaceAll("")).replaceAll("");
    return part.startsWith("```") ? List.of() : all(FIGURE, words).map(MatchResult::group).toList();
  }

  @Test
  void every_link_leads_to_a_file_and_a_chapter_that_are_there() throws IOException {
    for (Path page : pages().toList()) {
      for (String part : parts(page)) {
        if (!part.startsWith("```")) {
          all(LINK, part).forEach(link -> assertLeads(page, link.group(1)));
        }
      }
    }
  }

  private static void assertLeads(Path page, String link) {
    if (link.contains("://")) {
      return;
    }
    String[] ends = link.split("#", 2);
    Path target = ends[0].isEmpty() ? page : page.resolveSibling(ends[0]);
    assertThat(target).as("%s, from %s", link, page).exists();
    if (ends.length == 2) {
      assertThat(anchors(target)).as("%s, from %s", link, page).contains(ends[1]);
    }
  }

  /** The names that GitHub gives to chapters. */
  private static List<String> anchors(Path page) {
    try {
      return parts(page).stream()
          .filter(part -> part.startsWith("#"))
          .map(part -> part.replaceFirst("#+ ", "").toLowerCase(Locale.ROOT))
          .map(title -> NOT_IN_ANCHORS.matcher(title).replaceAll("").replace(' ', '-'))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
