package io.headgate.peer;

import io.headgate.kit.ChildProcess;
import io.headgate.kit.SystemPrograms;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A harness of the Fn API over {@code @grpc/grpc-js}, as a process of its own: {@code
 * src/test/foreign/grpc-js}. For one thread at a time. Whoever starts it closes it, which kills it.
 */
final class GrpcJs implements AutoCloseable {
  /** Set to true where a missing Node.js has to be a failure, as in {@code .ci/run}. */
  private static final String REQUIRED = "REQUIRE_NODE";

  private static final String MISSING =
      "no node or no npm on this machine; Debian's packages are nodejs, npm";

  private static final Path SOURCE = Path.of("src", "test", "foreign", "grpc-js");
  private static final Path HOME =
      Path.of(System.getProperty("headgate.target", "target"), "grpc-js").toAbsolutePath();

  /** It takes three seconds; the rest is for a busy machine and a slow registry. */
  private static final Duration INSTALL_LIMIT = Duration.ofMinutes(5);

  /** It ends at once; the rest is for a busy machine. */
  private static final Duration EXIT_LIMIT = Duration.ofSeconds(30);

  private final ChildProcess process;

  private GrpcJs(ChildProcess process) {
    this.process = process;
  }

  /**
   * Installs its packages, as the lock file has them, and starts it towards this port of 127.0.0.1;
   * does not wait for its streams. Where Node.js is not installed the test is skipped, or fails if
   * the environment says {@code REQUIRE_NODE=true}.
   */
  static GrpcJs start(int port) {
    return start(port, "harness.js");
  }

  /** The same of the harness that the manual has, under this id. */
  static GrpcJs echoing(int port, String id) {
    return start(port, "echo.js", id);
  }

  private static GrpcJs start(int port, String program, String... more) {
    Optional<Path> node = SystemPrograms.find("node");
    Optional<Path> npm = SystemPrograms.find("npm");
    if (node.isEmpty() || npm.isEmpty()) {
      return SystemPrograms.missing(MISSING, REQUIRED);
    }
    install(npm.get());
    List<String> command = new ArrayList<>();
    command.add(node.get().toString());
    command.add(HOME.resolve(program).toString());
    command.add(Path.of("src", "main", "proto", "beam_fn_api.proto").toString());
    command.add("127.0.0.1:" + port);
    command.addAll(List.of(more));
    return new GrpcJs(
        ChildProcess.start(
            new ProcessBuilder(command)
                .redirectOutput(Redirect.to(messages().toFile()))
                .redirectError(Redirect.to(errors().toFile()))));
  }

  /** Beside a copy of the source, because Node.js looks for packages there. */
  private static void install(Path npm) {
    try {
      Files.createDirectories(HOME);
      for (String file : List.of("package.json", "package-lock.json", "harness.js", "echo.js")) {
        Files.copy(SOURCE.resolve(file), HOME.resolve(file), StandardCopyOption.REPLACE_EXISTING);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    SystemPrograms.run(
        List.of(
            npm.toString(),
            "ci",
            "--prefix=" + HOME,
            "--ignore-scripts",
            "--prefer-offline",
            "--no-audit",
            "--no-fund"),
        HOME.resolve("install.log"),
        INSTALL_LIMIT);
  }

  boolean running() {
    return process.running();
  }

  /** Waits until it has ended by itself, and gives its exit code. */
  int awaitExit() {
    return process.awaitExit(EXIT_LIMIT);
  }

  /** Every message that it sent or got so far: stream, direction, Base64. */
  static Path messages() {
    return HOME.resolve("messages");
  }

  static Path errors() {
    return HOME.resolve("errors.log");
  }

  @Override
  public void close() {
    process.close();
  }
}
