package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The document, the shipped file and the code say the same about every key. */
class ConfigurationDocumentTest {
  private static final Path DOCUMENT = Path.of("docs", "configuration.md");
  private static final Path SHIPPED = Path.of("conf", "headgate.yaml");

  /** A row of one of the tables: key and variable, default, bounds, and the rest. */
  private static final Pattern ROW =
      Pattern.compile("\\| `([a-zA-Z.]+)` `(HEADGATE_[A-Z_]+)` \\| ([^|]+) \\| ([^|]+) \\| .+ \\|");

  /** A setting that is switched off: a hash without a space after it. */
  private static final Pattern OFF = Pattern.compile("(?m)^( *)#(?=[a-zA-Z])");

  @Test
  void every_key_has_a_row_with_its_variable_default_and_bounds() throws IOException {
    Map<String, Matcher> rows = rows();
    assertThat(rows.keySet()).containsExactlyElementsOf(ConfigKeys.ALL.keySet());
    ConfigKeys.ALL
        .values()
        .forEach(
            key -> {
              Matcher row = rows.get(key.path());
              assertThat(row.group(2)).isEqualTo(key.variable());
              assertThat(row.group(3)).as(key.path()).isEqualTo(documentedDefault(key));
              assertThat(row.group(4)).as(key.path()).isEqualTo(documentedBounds(key));
            });
  }

  private static Map<String, Matcher> rows() throws IOException {
    Map<String, Matcher> rows = new LinkedHashMap<>();
    for (String line : Files.readAllLines(DOCUMENT)) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        assertThat(rows.put(row.group(1), row)).as("second row for " + row.group(1)).isNull();
      }
    }
    return rows;
  }

  private static String documentedDefault(ConfigKey key) {
    String text = key.defaultText();
    if (key.path().equals("http.instances")) {
      return "number of processors";
    }
    return text == null ? "none" : text.isEmpty() ? "`\"\"`" : "`" + text + "`";
  }

  private static String documentedBounds(ConfigKey key) {
    return switch (key.kind()) {
      case TEXT, SECRET -> "text";
      case LIST -> key.least() + " to " + key.most() + " entries";
      default -> "`" + key.expected() + "`";
    };
  }

  @Test
  void the_shipped_file_holds_the_defaults_and_no_source() throws Exception {
    HeadgateConfig shipped = HeadgateConfig.load(SHIPPED, Map.of());
    assertThat(shipped).isEqualTo(HeadgateConfig.DEFAULT);
    assertThat(shipped.sources().zeta()).isNull();
  }

  @Test
  void the_shipped_file_names_every_key_with_its_default() throws IOException {
    Map<String, String> settings = new LinkedHashMap<>();
    flatten("", new YAMLMapper().readTree(switchedOn()), settings);
    assertThat(settings.keySet()).containsExactlyElementsOf(ConfigKeys.ALL.keySet());
    ConfigKeys.ALL
        .values()
        .forEach(
            key -> {
              if (key.defaultText() != null && !key.path().equals("http.instances")) {
                assertThat(settings.get(key.path())).as(key.path()).isEqualTo(key.defaultText());
              }
            });
  }

  @Test
  void the_shipped_file_loads_with_everything_switched_on(@TempDir Path folder) throws Exception {
    Matcher named = Pattern.compile("conf/[a-z/-]+(\\.pem)?").matcher(switchedOn());
    String moved = named.replaceAll(name -> touch(folder.resolve(name.group())));
    Path file = Files.writeString(folder.resolve("headgate.yaml"), moved);
    HeadgateConfig config = HeadgateConfig.load(file, Map.of());
    assertThat(config.sources().zeta()).isNotNull();
    assertThat(config.sources().zeta().members()).hasSize(2);
    assertThat(config.sources().zeta().password()).isEqualTo("touched");
    assertThat(config.http().tls()).isTrue();
    assertThat(config.http().usersFile()).isNotNull();
  }

  private static String touch(Path file) {
    try {
      Files.createDirectories(file.getParent());
      return Files.writeString(file, "touched").toString();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static String switchedOn() throws IOException {
    return OFF.matcher(Files.readString(SHIPPED)).replaceAll("$1");
  }

  private static void flatten(String path, JsonNode node, Map<String, String> into) {
    if (node.isObject()) {
      node.properties()
          .forEach(
              member ->
                  flatten(
                      path.isEmpty() ? member.getKey() : path + "." + member.getKey(),
                      member.getValue(),
                      into));
    } else if (node.isArray()) {
      into.put(path, node.valueStream().map(JsonNode::asText).collect(Collectors.joining(",")));
    } else {
      into.put(path, node.asText());
    }
  }
}
