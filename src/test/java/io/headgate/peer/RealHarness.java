package io.headgate.peer;

import io.headgate.fn.PortId;
import io.headgate.kit.ChildProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * Beam's Java SDK harness 2.11.0 and the bridge that it needs, as a process of its own: {@code
 * src/test/foreign/beam}, which is no part of our test classes. For one thread at a time. Whoever
 * starts it closes it, which kills it.
 */
final class RealHarness implements AutoCloseable {
  private static final Path TARGET =
      Path.of(System.getProperty("headgate.target", "target")).toAbsolutePath();

  /** The build puts its jars there. */
  private static final Path JARS = TARGET.resolve("beam-harness");

  private static final Path CLASSES = JARS.resolve("classes");
  private static final Path STAGES = JARS.resolve("stages.tsv");

  /** It ends at once; the rest is for a busy machine. */
  private static final Duration EXIT_LIMIT = Duration.ofSeconds(30);

  private final ChildProcess process;

  private RealHarness(ChildProcess process) {
    this.process = process;
  }

  /**
   * A part of the pipeline that it can run bundles of.
   *
   * @param id of its descriptor
   */
  record Stage(String id, PortId input, PortId output) {}

  /** Compiles and starts it towards this port of 127.0.0.1. Does not wait for it. */
  static RealHarness start(int port, String id) {
    compile();
    return launch(port, id, log());
  }

  /** Starts a further one, once the first has connected. */
  static RealHarness another(int port, String id) {
    return launch(port, id, TARGET.resolve("beam-harness-" + id + ".log"));
  }

  private static RealHarness launch(int port, String id, Path log) {
    return new RealHarness(
        ChildProcess.start(
            new ProcessBuilder(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx256m",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-Djava.net.preferIPv4Stack=true",
                    "--add-opens=java.base/java.lang=ALL-UNNAMED", // it makes classes as it runs
                    "-cp",
                    CLASSES + ":" + JARS + "/*",
                    "BeamHarness",
                    String.valueOf(port),
                    id,
                    STAGES.toString(),
                    CLASSES.toString())
                .redirectErrorStream(true)
                .redirectOutput(Redirect.to(log.toFile()))));
  }

  private static void compile() {
    var said = new ByteArrayOutputStream();
    String jars = files(JARS, ".jar").collect(Collectors.joining(":"));
    Stream<String> options = Stream.of("-proc:none", "-d", CLASSES.toString(), "-cp", jars);
    Stream<String> sources = files(Path.of("src", "test", "foreign", "beam"), ".java");
    int code =
        ToolProvider.getSystemJavaCompiler()
            .run(null, said, said, Stream.concat(options, sources).toArray(String[]::new));
    if (code != 0) {
      throw new IllegalStateException(said.toString(StandardCharsets.UTF_8));
    }
  }

  private static Stream<String> files(Path folder, String suffix) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(Path::toString).filter(name -> name.endsWith(suffix)).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What it can run. To be asked only after it has connected. */
  List<Stage> stages() {
    try {
      return Files.readAllLines(STAGES).stream().map(RealHarness::stage).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stage stage(String line) {
    String[] cells = line.split("\t", -1);
    return new Stage(cells[0], new PortId(cells[1], cells[2]), new PortId(cells[3], cells[4]));
  }

  boolean running() {
    return process.running();
  }

  /** Waits until it has ended by itself, and gives its exit code. */
  int awaitExit() {
    return process.awaitExit(EXIT_LIMIT);
  }

  static Path log() {
    return TARGET.resolve("beam-harness.log");
  }

  /** Ends it without a word. */
  void kill() {
    process.sendKill();
  }

  @Override
  public void close() {
    process.close();
  }
}
