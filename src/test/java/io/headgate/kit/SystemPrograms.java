package io.headgate.kit;

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

/** Programs that the system has to have, because the build does not bring them. */
public final class SystemPrograms {

  /** Servers are kept where only the administrator's search path leads. */
  private static final List<String> FOLDERS =
      Stream.concat(
              Stream.of(System.getenv().getOrDefault("PATH", "").split(":")),
              Stream.of("/usr/sbin", "/usr/local/sbin"))
          .filter(folder -> !folder.isEmpty())
          .toList();

  private SystemPrograms() {}

  public static Optional<Path> find(String program) {
    return FOLDERS.stream()
        .map(folder -> Path.of(folder, program))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * Skips the test, or fails it where it may not be left out.
   *
   * @param what the reason
   * @param required the environment's variable that is {@code true} where it may not
   */
  public static <T> T missing(String what, String required) {
    if (Boolean.parseBoolean(System.getenv(required))) {
      throw new IllegalStateException(what);
    }
    System.err.println("skipped: " + what); // the reason is in no line that Maven prints
    return Assumptions.abort(what);
  }

  /**
   * Runs a program to its end.
   *
   * @param output is overwritten; a pipe could outlive the limit
   * @return what it printed
   * @throws IllegalStateException it said that it failed, or passed the limit and was killed
   */
  public static String run(List<String> command, Path output, Duration limit) {
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
