package io.headgate.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.graph.Excess;
import io.headgate.graph.Inconsistency;
import io.headgate.graph.Unavailability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The error table of the documentation is the one of the code (L21). */
class ErrorTableTest {
  private static final Path DOCUMENT = Path.of("docs", "errors.md");
  private static final Pattern CODE =
      Pattern.compile("\\| `([A-Z_]+)` \\| (\\d{3}) \\| ([^|]+) \\| [^|]+ \\| [^|]+ \\| [^|]+ \\|");
  private static final Pattern SECTION = Pattern.compile("### (\\d{3}).*");
  private static final Pattern REASON = Pattern.compile("\\| `([a-z-]+)` \\| .+ \\|");

  @Test
  void L21_every_code_has_one_row_with_its_status_and_message() throws IOException {
    List<String> documented = new ArrayList<>();
    for (String line : Files.readAllLines(DOCUMENT)) {
      Matcher row = CODE.matcher(line);
      if (row.matches()) {
        documented.add(row.group(1) + " " + row.group(2) + " " + row.group(3));
      }
    }
    assertThat(documented)
        .containsExactlyElementsOf(
            Stream.of(ErrorCode.values())
                .map(code -> code.name() + " " + code.status() + " " + code.message())
                .toList());
  }

  @Test
  void L21_every_reason_stands_under_its_status() throws IOException {
    Map<String, Set<String>> documented = reasons();
    assertThat(documented.get("409"))
        .containsExactlyElementsOf(labels(Inconsistency.values(), Inconsistency::label));
    assertThat(documented.get("413"))
        .containsExactlyElementsOf(labels(Excess.values(), Excess::label));
    assertThat(documented.get("503"))
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(
                    Stream.of("busy"),
                    labels(Unavailability.values(), Unavailability::label).stream())
                .toList());
  }

  private static <E> List<String> labels(
      E[] values, java.util.function.Function<? super E, String> label) {
    return Arrays.stream(values).map(label).toList();
  }

  private static Map<String, Set<String>> reasons() throws IOException {
    Map<String, Set<String>> reasons = new LinkedHashMap<>();
    String status = "";
    for (String line : Files.readAllLines(DOCUMENT)) {
      Matcher section = SECTION.matcher(line);
      Matcher reason = REASON.matcher(line);
      if (section.matches()) {
        status = section.group(1);
      } else if (reason.matches()) {
        reasons.computeIfAbsent(status, s -> new LinkedHashSet<>()).add(reason.group(1));
      }
    }
    return reasons;
  }

  @Test
  void L21_a_body_is_exactly_code_and_message() {
    for (ErrorCode code : ErrorCode.values()) {
      assertThat(code.body())
          .isEqualTo("{\"code\":\"" + code + "\",\"message\":\"" + code.message() + "\"}")
          .matches("[ -~]+");
      assertThat(code.message()).doesNotContain("\"", "\\");
    }
  }
}
