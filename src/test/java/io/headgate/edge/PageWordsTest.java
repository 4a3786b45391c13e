package io.headgate.edge;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headgate.graph.JobStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The words of the page: the same ones in each language, and each used. */
class PageWordsTest {
  private static final Path FOLDER =
      Path.of("src/main/resources").resolve(PageFiles.FOLDER.substring(1));
  private static final String BEGIN = "export default ";
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{(\\w+)}");
  private static final Pattern IN_MARKUP =
      Pattern.compile("data-word(?:-label)?=\"([^\"]+)\">?([^<]*)");

  /** Words whose key is put together: what stands in front of the part that varies. */
  private static final Pattern PUT_TOGETHER = Pattern.compile("`([a-z]+)\\.\\$\\{");

  private final Map<String, String> english = words("words-en.js");
  private final Map<String, String> chinese = words("words-zh.js");

  private static Map<String, String> words(String name) {
    String text = read(FOLDER.resolve(name));
    int from = text.indexOf(BEGIN) + BEGIN.length();
    try {
      return new ObjectMapper()
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .readValue(
              text.substring(from, text.lastIndexOf(';')),
              new TypeReference<LinkedHashMap<String, String>>() {});
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String all(String end) {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files
          .filter(file -> file.toString().endsWith(end))
          .filter(file -> !file.getFileName().toString().startsWith("words-"))
          .map(PageWordsTest::read)
          .collect(Collectors.joining());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void both_languages_have_the_same_keys_and_no_empty_word() {
    assertThat(chinese.keySet()).containsExactlyElementsOf(english.keySet());
    assertThat(english.values()).allMatch(text -> !text.isBlank());
    assertThat(chinese.values()).allMatch(text -> !text.isBlank());
  }

  @Test
  void a_word_takes_the_same_values_in_each_language() {
    english.forEach(
        (key, text) ->
            assertThat(placeholders(chinese.get(key))).as(key).isEqualTo(placeholders(text)));
  }

  private static Set<String> placeholders(String text) {
    return PLACEHOLDER
        .matcher(text)
        .results()
        .map(each -> each.group(1))
        .collect(Collectors.toSet());
  }

  @Test
  void what_stands_in_the_markup_is_the_english_word() {
    assertThat(IN_MARKUP.matcher(all(".html")).results())
        .isNotEmpty()
        .allSatisfy(
            (MatchResult each) -> {
              assertThat(english).containsKey(each.group(1));
              if (!each.group(2).isEmpty() && each.group().contains("data-word=")) {
                assertThat(each.group(2)).isEqualTo(english.get(each.group(1)));
              }
            });
  }

  @Test
  void every_word_is_used() {
    String used = all(".js") + all(".html");
    Set<String> stems =
        PUT_TOGETHER.matcher(used).results().map(each -> each.group(1)).collect(Collectors.toSet());
    Set<String> unused = new TreeSet<>();
    for (String key : english.keySet()) {
      if (!used.contains('"' + key + '"') && !stems.contains(key.substring(0, key.indexOf('.')))) {
        unused.add(key);
      }
    }
    assertThat(unused).isEmpty();
  }

  @Test
  void every_word_that_is_asked_for_is_there() {
    assertThat(Pattern.compile("\\bword\\(\\s*\"([^\"]+)\"").matcher(all(".js")).results())
        .isNotEmpty()
        .allSatisfy(each -> assertThat(english).containsKey(each.group(1)));
  }

  @Test
  void every_state_of_a_job_and_every_code_of_a_read_has_a_word() {
    for (JobStatus status : JobStatus.values()) {
      assertThat(english).containsKey("state." + status);
    }
    for (ErrorCode code : ErrorCode.values()) {
      assertThat(english)
          .as(code + " has a sentence of its own, or its status has one")
          .matches(
              words ->
                  words.containsKey("problem." + code)
                      || words.containsKey("problem." + code.status())
                      || !reads(code));
    }
  }

  /** Whether a question that the page asks can be answered so. */
  private static boolean reads(ErrorCode code) {
    return switch (code.status()) {
      case 401, 403, 404, 409, 413, 500, 503 -> true;
      default -> false;
    };
  }
}
