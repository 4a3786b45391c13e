package io.headgate.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The tables of {@code docs/metrics.md}, and whether an expression of PromQL keeps to them. */
public final class MetricsPage {
  private static final Path PAGE = Path.of("docs", "metrics.md");
  private static final Pattern ROW =
      Pattern.compile("\\| ((?:`headgate_\\w+`(?:, )?)+) \\| ((?:counter|gauge)[^|]*) \\| .+ \\|");
  private static final Pattern WORD = Pattern.compile("`(\\w+)`");
  private static final Pattern FAMILY = Pattern.compile("`(\\w+)_\\*`");
  private static final Pattern OURS = Pattern.compile("\\b(headgate|jvm|process|system)_\\w+");
  private static final Pattern SELECTOR = Pattern.compile("(\\w+)\\{([^}]*)}");
  private static final Pattern MATCHER = Pattern.compile("(\\w+)\\s*(?:=~|!~|!=|=)");
  private static final Pattern GROUPING =
      Pattern.compile("\\b(?:by|without|on|ignoring|group_left|group_right)\\s*\\(([^)]*)\\)");

  /** Labels that a Prometheus server puts on. */
  private static final Set<String> OF_THE_SERVER = Set.of("instance", "job");

  /** Functions whose operand may only be a counter. */
  private static final Pattern RATE =
      Pattern.compile("\\b(?:rate|irate|increase)\\(\\s*(\\w+)(?:\\{[^}]*})?\\[");

  /**
   * What the page says of one metric.
   *
   * @param type {@code counter} or {@code gauge}
   */
  public record Metric(String type, Set<String> labels) {}

  private final Map<String, Metric> metrics = new TreeMap<>();
  private final List<String> families;
  private final String text;

  private MetricsPage(String text) {
    this.text = text;
    for (String line : text.lines().toList()) {
      var row = ROW.matcher(line);
      if (row.matches()) {
        String[] kind = row.group(2).split("; ");
        boolean labelled = kind.length > 1 && kind[1].startsWith("`");
        String labels = labelled ? kind[1].replaceAll(" is .*", "") : "";
        Metric metric = new Metric(kind[0], Set.copyOf(all(WORD, labels)));
        for (String name : all(WORD, row.group(1))) {
          assertThat(metrics.put(name, metric)).as("%s is there twice", name).isNull();
        }
      }
    }
    families = all(FAMILY, text);
  }

  public static MetricsPage read() {
    try {
      return new MetricsPage(Files.readString(PAGE));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static List<String> all(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(found -> found.group(1)).toList();
  }

  /** The metrics of ours, by name. */
  public Map<String, Metric> metrics() {
    return metrics;
  }

  /** The beginnings of the names of others, such as {@code jvm_memory}. */
  public List<String> families() {
    return families;
  }

  /** The expressions of the table of alerts. */
  public List<String> alerts() {
    String table = text.substring(text.indexOf("## What to alert on"));
    int end = table.indexOf("\n## ");
    table = end < 0 ? table : table.substring(0, end);
    return table
        .lines()
        .filter(line -> line.startsWith("| `"))
        .flatMap(line -> Pattern.compile("`([^`]+)`").matcher(line.split(" \\| ")[0]).results())
        .map(found -> found.group(1))
        .filter(expression -> expression.contains("headgate_"))
        .toList();
  }

  /** Fails unless every metric and label of an expression is documented, and used as its type. */
  public void check(String expression) {
    Set<String> names =
        OURS.matcher(expression)
            .results()
            .map(MatchResult::group)
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(names).as("metrics in %s", expression).isNotEmpty();
    Set<String> labels = new TreeSet<>(OF_THE_SERVER);
    for (String name : names) {
      Metric metric = metrics.get(name);
      boolean ours = name.startsWith("headgate_");
      if (ours) {
        assertThat(metric).as("%s in %s", name, expression).isNotNull();
        labels.addAll(metric.labels());
      } else {
        assertThat(families).as(expression).anyMatch(family -> name.startsWith(family + "_"));
      }
    }
    for (MatchResult selector : SELECTOR.matcher(expression).results().toList()) {
      Metric metric = metrics.get(selector.group(1));
      if (metric != null) {
        Set<String> allowed = new TreeSet<>(metric.labels());
        allowed.addAll(OF_THE_SERVER);
        assertThat(allowed).as(expression).containsAll(all(MATCHER, selector.group(2)));
      }
    }
    if (names.stream().allMatch(name -> name.startsWith("headgate_"))) {
      for (String group : all(GROUPING, expression)) {
        assertThat(labels).as(expression).containsAll(words(group));
      }
    }
    for (String counter : all(RATE, expression)) {
      assertThat(counter).as("of what %s takes a rate", expression).endsWith("_total");
    }
  }

  private static List<String> words(String commaSeparated) {
    List<String> words = new ArrayList<>();
    for (String word : commaSeparated.split(",", -1)) {
      if (!word.isBlank()) {
        words.add(word.strip());
      }
    }
    return words;
  }
}
