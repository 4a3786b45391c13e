package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.edge.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What docs/limits.md says of keys, defaults, statuses and codes is so. */
class LimitsDocumentTest {
  private static final Path PAGE = Path.of("docs", "limits.md");

  /** A row whose limit can be set: its default and its key. */
  private static final Pattern SETTABLE =
      Pattern.compile("\\| [^|]+ \\| `([^`]+)` \\| `([a-zA-Z.]+)` \\| .+ \\|");

  private static final Pattern ANSWER = Pattern.compile("\\b(\\d{3}) `([A-Z_]+)`");

  @Test
  void every_default_is_that_of_its_key() throws IOException {
    Set<String> keys = new TreeSet<>();
    for (String line : Files.readAllLines(PAGE)) {
      Matcher row = SETTABLE.matcher(line);
      if (row.matches()) {
        assertThat(ConfigKeys.ALL).containsKey(row.group(2));
        assertThat(row.group(1)).as(line).isEqualTo(ConfigKeys.ALL.get(row.group(2)).defaultText());
        keys.add(row.group(2));
      }
    }
    assertThat(keys).containsAll(keysOf("limits\\..*|.*[pP]ermits|.*\\.bodyBytes"));
  }

  private static Set<String> keysOf(String regex) {
    return ConfigKeys.ALL.keySet().stream()
        .filter(key -> key.matches(regex))
        .collect(Collectors.toSet());
  }

  @Test
  void L21_every_code_has_the_status_that_the_page_says() throws IOException {
    List<MatchResult> answers = ANSWER.matcher(Files.readString(PAGE)).results().toList();
    assertThat(answers).isNotEmpty();
    for (MatchResult answer : answers) {
      assertThat(ErrorCode.valueOf(answer.group(2)).status())
          .as(answer.group(2))
          .isEqualTo(Integer.parseInt(answer.group(1)));
    }
  }
}
