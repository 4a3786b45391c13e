package io.headgate.peer;

import io.headgate.kit.ChildProcess;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A harness of the Fn API over the stubs that Beam published with 2.2.0 and the libraries of their
 * time, as a process of its own: {@code src/test/foreign/StubsHarness.java}, which is no part of
 * our test classes. For one thread at a time. Whoever starts it closes it, which kills it.
 */
final class StubsClient implements AutoCloseable {
  private static final Path TARGET =
      Path.of(System.getProperty("headgate.target", "target")).toAbsolutePath();

  /** It ends at once; the rest is for a busy machine. */
  private static final Duration EXIT_LIMIT = Duration.ofSeconds(30);

  private final ChildProcess process;

  private StubsClient(ChildProcess process) {
    this.process = process;
  }

  /** Starts it towards this port of 127.0.0.1. Does not wait. What it prints is in the log. */
  static StubsClient start(int port) {
    return new StubsClient(
        ChildProcess.start(
            new ProcessBuilder(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx256m",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-Djava.net.preferIPv4Stack=true",
                    "-cp",
                    TARGET.resolve("beam-stubs") + "/*", // the build puts its jars there
                    Path.of("src", "test", "foreign", "StubsHarness.java").toString(),
                    String.valueOf(port))
                .redirectErrorStream(true)
                .redirectOutput(Redirect.to(log().toFile()))));
  }

  boolean running() {
    return process.running();
  }

  /** Waits until it has ended by itself, and gives its exit code. */
  int awaitExit() {
    return process.awaitExit(EXIT_LIMIT);
  }

  static Path log() {
    return TARGET.resolve("stubs-harness.log");
  }

  @Override
  public void close() {
    process.close();
  }
}
