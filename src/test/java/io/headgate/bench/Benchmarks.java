package io.headgate.bench;

import io.headgate.state.TimelineAppendRun;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.NoBenchmarksException;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Runs benchmarks by name and prints the ratios of the evidence list.
 *
 * <pre>{@code
 * mvn -Pbench test-compile exec:exec -Dbench.include=Core              # the core, under JMH
 * mvn -Pbench test-compile exec:exec -Dbench.include=edge              # the edge, under load
 * mvn -Pbench test-compile exec:exec -Dbench.include=access            # what a line costs
 * mvn -Pbench test-compile exec:exec -Dbench.include=overload          # ten times the peak
 * mvn -Pbench test-compile exec:exec -Dbench.include=load              # a gateway that runs
 * mvn -Pbench test-compile exec:exec -Dbench.include=engine            # before a real engine
 * mvn -Pbench test-compile exec:exec -Dbench.include=polling           # three gateways, one engine
 * mvn -Pbench test-compile exec:exec -Dbench.include=directory         # 100,000 published jobs
 * mvn -Pbench test-compile exec:exec -Dbench.include=recorder          # a Java caller's latency
 * mvn -Pbench test-compile exec:exec -Dbench.include=append            # a change of a timeline
 * mvn -Pbench test-compile exec:exec -Dbench.include=timeline          # its pages
 * mvn -Pbench test-compile exec:exec -Dbench.include=fn                # the data plane
 * mvn -Pbench test-compile exec:exec -Dbench.include=picture           # lookups beside pictures
 * mvn -Pbench test-compile exec:exec -Dbench.include="CoreWrite -f 1"  # with JMH's own options
 * }</pre>
 */
public final class Benchmarks {
  /** What {@link CpuProfiler} and JMH's garbage collection profiler call their figures. */
  private static final String CPU = "cpu";

  private static final String ALLOCATED = "gc.alloc.rate.norm";

  private static final List<String> LOADS =
      List.of(
          "edge",
          "access",
          "overload",
          "load",
          "engine",
          "polling",
          "directory",
          "recorder",
          "append",
          "timeline",
          "fn",
          "picture");

  private Benchmarks() {}

  public static void main(String[] args) throws Exception {
    String[] wanted = args.length == 0 ? new String[] {".*"} : args;
    CommandLineOptions options = new CommandLineOptions(wanted);
    List<String> includes = options.getIncludes();
    if (names(includes, "edge")) {
      EdgeComparison.main(new String[0]);
    }
    if (names(includes, "access")) {
      AccessLogComparison.main(new String[0]);
    }
    if (names(includes, "overload")) {
      OverloadRun.main(new String[0]);
    }
    if (includes.contains("load")) { // never by a pattern, since it needs a gateway
      LoadRun.main(new String[0]);
    }
    if (names(includes, "engine")) {
      EngineComparison.main(new String[0]);
    }
    if (names(includes, "polling")) {
      ClusterPolling.main(new String[0]);
    }
    if (names(includes, "directory")) {
      DirectoryRun.main(new String[0]);
    }
    if (names(includes, "recorder")) {
      RecorderRun.main(new String[0]);
    }
    if (names(includes, "append")) {
      TimelineAppendRun.main(new String[0]);
    }
    if (names(includes, "timeline")) {
      TimelineRun.main(new String[0]);
    }
    if (names(includes, "fn")) {
      DataPlaneComparison.main(new String[0]);
    }
    if (names(includes, "picture")) {
      PictureRun.main(new String[0]);
    }
    try {
      report(
          new Runner(
                  new OptionsBuilder()
                      .parent(options)
                      .addProfiler(CpuProfiler.class)
                      .addProfiler(GCProfiler.class)
                      .build())
              .run());
    } catch (NoBenchmarksException e) {
      if (LOADS.stream().noneMatch(load -> names(includes, load))) {
        System.out.println("no benchmark is called " + includes);
      }
    }
  }

  private static boolean names(List<String> includes, String run) {
    return includes.stream().anyMatch(include -> Pattern.matches("(?i)" + include, run));
  }

  private static void report(Collection<RunResult> results) {
    Map<String, Figures> figures = new TreeMap<>();
    for (RunResult result : results) {
      String name = result.getParams().getBenchmark().replaceAll(".*\\.(\\w+\\.\\w+)$", "$1");
      String params =
          Stream.of(result.getParams().getParamsKeys().toArray(new String[0]))
              .map(key -> "(" + result.getParams().getParam(key) + ")")
              .reduce("", String::concat);
      figures.put(name + params, Figures.of(result));
    }
    System.out.printf("%n%-44s %10s %10s %12s%n", "benchmark", "wall ms", "CPU ms", "allocated MB");
    figures.forEach(
        (name, f) ->
            System.out.printf(
                Locale.ROOT, "%-44s %10.3f %10.3f %12.2f%n", name, f.wall, f.cpu, f.megabytes));
    List<String> lines = new ArrayList<>();
    ratio(
        lines,
        figures,
        "P3 writer vs generator, CPU",
        "CoreWriteBenchmark.generator",
        "CoreWriteBenchmark.writer",
        "at least 3");
    ratio(
        lines,
        figures,
        "sort vs the library's, CPU",
        "CoreSortBenchmark.library",
        "CoreSortBenchmark.radix",
        "more than 1");
    cost(
        lines,
        figures,
        "P3s check, order and write",
        "CoreProjectionBenchmark.project",
        "at most 8 ms, 8 MB");
    cost(lines, figures, "P3t whole fresh answer", "CoreAnswerBenchmark.answer", "at most 25 ms");
    lines.forEach(System.out::println);
  }

  private static void ratio(
      List<String> lines,
      Map<String, Figures> figures,
      String what,
      String slow,
      String fast,
      String target) {
    Figures above = figures.get(slow);
    Figures below = figures.get(fast);
    if (above != null && below != null) {
      lines.add(
          String.format(Locale.ROOT, "%s: %.2f (target: %s)", what, above.cpu / below.cpu, target));
    }
  }

  private static void cost(
      List<String> lines, Map<String, Figures> figures, String what, String name, String target) {
    Figures own = figures.get(name);
    if (own != null) {
      lines.add(
          String.format(
              Locale.ROOT,
              "%s: %.2f ms CPU, %.2f MB allocated (target: %s)",
              what,
              own.cpu,
              own.megabytes,
              target));
    }
  }

  /** One operation's cost; CPU is that of the whole JVM, collector included. */
  private record Figures(double wall, double cpu, double megabytes) {
    static Figures of(RunResult result) {
      Map<String, Result> secondary = result.getSecondaryResults();
      return new Figures(
          result.getPrimaryResult().getScore(),
          score(secondary, CPU),
          score(secondary, ALLOCATED) / 1_000_000);
    }

    private static double score(Map<String, Result> results, String label) {
      Result<?> result = results.get(label);
      return result == null ? Double.NaN : result.getScore();
    }
  }
}
