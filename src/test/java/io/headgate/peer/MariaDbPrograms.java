package io.headgate.peer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * The programs of an installed MariaDB. Nothing here needs or touches a service of the system.
 *
 * @param server the database itself
 * @param installer makes an empty data directory
 * @param client runs SQL
 */
record MariaDbPrograms(Path server, Path installer, Path client) {

  /** Set to true where a missing MariaDB has to be a failure, as in {@code .ci/run}. */
  private static final String REQUIRED = "REQUIRE_MARIADB";

  private static final String MISSING =
      "no MariaDB on this machine; Debian's packages are mariadb-server-core, mariadb-client-core";

  /** Servers are kept where only the administrator's search path leads. */
  private static final List<String> FOLDERS =
      Stream.concat(
              Stream.of(System.getenv().getOrDefault("PATH", "").split(":")),
              Stream.of("/usr/sbin", "/usr/local/sbin"))
          .filter(folder -> !folder.isEmpty())
          .toList();

  /** Skips the test where there is none, or fails it where there has to be one. */
  static MariaDbPrograms installed() {
    Optional<Path> server = find("mariadbd");
    Optional<Path> installer = find("mariadb-install-db");
    Optional<Path> client = find("mariadb");
    if (server.isPresent() && installer.isPresent() && client.isPresent()) {
      return new MariaDbPrograms(server.get(), installer.get(), client.get());
    }
    if (Boolean.parseBoolean(System.getenv(REQUIRED))) {
      throw new IllegalStateException(MISSING);
    }
    System.err.println("skipped: " + MISSING); // the reason is in no line that Maven prints
    return Assumptions.abort(MISSING);
  }

  private static Optional<Path> find(String program) {
    return FOLDERS.stream()
        .map(folder -> Path.of(folder, program))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * Runs one of the programs to its end.
   *
   * @param output is overwritten; a pipe could outlive the limit
   * @return what it printed
   * @throws IllegalStateException it said that it failed, or passed the limit and was killed
   */
  static String run(List<String> command, Path output, Duration limit) {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(Redirect.to(output.toFile()))
              .start();
      boolean ended = process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
      process.destroyForcibly();
      String text = Files.readString(output);
      if (!ended || process.exitValue() != 0) {
        throw new IllegalStateException(
            (ended ? "failed: " : "too slow: ") + command + "\n" + text);
      }
      return text;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
