package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program as an operator runs it: a process of its own, its exit codes and what it prints. */
class ProgramTest {
  private static final Pattern LISTENING =
      Pattern.compile("listening on http://127\\.0\\.0\\.1:(\\d+)");
  private static final int START_SECONDS = 30;

  @TempDir Path folder;

  @Test
  void check_without_faults_exits_0() {
    Ended ended = run(Map.of(), "--check");
    assertThat(ended.code()).isZero();
    assertThat(ended.out()).matches("(?s)configuration: .* variables?, no faults\\s*");
  }

  @Test
  void check_prints_every_fault_with_its_key_and_exits_2() throws IOException {
    Path file = Files.writeString(folder.resolve("own.yaml"), "http: {prot: 1}\nfence.jobs: 0\n");
    Ended ended = run(Map.of("HEADGATE_LIMITS_NODES", "many"), "--config", "own.yaml", "--check");
    assertThat(file).exists();
    assertThat(ended.code()).isEqualTo(2);
    assertThat(ended.err().lines())
        .containsExactlyInAnyOrder(
            "http.prot: unknown key (nearest: http.port)",
            "fence.jobs: 0 (expected: 1 to 1000000)",
            "limits.nodes: many (expected: 1 to 100000)");
  }

  @Test
  void without_config_it_reads_the_file_of_the_working_directory() throws IOException {
    Files.createDirectories(folder.resolve("conf"));
    Files.writeString(folder.resolve("conf").resolve("headgate.yaml"), "http.port: none\n");
    Ended ended = run(Map.of(), "--check");
    assertThat(ended.code()).isEqualTo(2);
    assertThat(ended.err()).contains("http.port: none (expected: 0 to 65535)");
  }

  @Test
  void a_configuration_fault_ends_the_start_with_2() {
    Ended ended = run(Map.of("HEADGATE_HTTP_PORT", "-1"));
    assertThat(ended.code()).isEqualTo(2);
    assertThat(ended.err()).contains("http.port: -1 (expected: 0 to 65535)");
  }

  @Test
  void a_file_that_is_not_there_and_a_wrong_option_exit_2() {
    Ended noFile = run(Map.of(), "--config", "nowhere.yaml");
    assertThat(noFile.code()).isEqualTo(2);
    assertThat(noFile.err()).startsWith("--config: nowhere.yaml can't be read");
    assertThat(run(Map.of(), "--config").code()).isEqualTo(2);
    assertThat(run(Map.of(), "--port", "1").code()).isEqualTo(2);
  }

  @Test
  void version_and_help_exit_0() {
    Ended version = run(Map.of(), "--version");
    assertThat(version.code()).isZero();
    assertThat(version.out()).matches("headgate \\d+\\.\\d+\\.\\d+\\S*\\R");
    Ended help = run(Map.of(), "--help");
    assertThat(help.code()).isZero();
    assertThat(help.out()).contains("--config FILE", "--check", "--version", "--help");
  }

  @Test
  void a_port_that_is_taken_exits_1_and_names_the_key() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Ended ended = run(Map.of("HEADGATE_HTTP_PORT", Integer.toString(taken.getLocalPort())));
      assertThat(ended.code()).isEqualTo(1);
      assertThat(ended.err()).contains("http.port: " + taken.getLocalPort() + " can't be bound");
    }
  }

  @Test
  void a_member_port_that_is_taken_exits_1_and_names_the_key() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Ended ended =
          run(
              Map.of(
                  "HEADGATE_HTTP_PORT",
                  "0",
                  "HEADGATE_HAZELCAST_PORT",
                  Integer.toString(taken.getLocalPort()),
                  "HEADGATE_HAZELCAST_MEMBERS",
                  "127.0.0.1:" + taken.getLocalPort()));
      assertThat(ended.code()).isEqualTo(1);
      assertThat(ended.err())
          .contains("hazelcast.port: " + taken.getLocalPort() + " can't be bound (is it taken?)");
    }
  }

  @Test
  void it_says_where_it_listens_and_a_signal_ends_it_with_0() throws Exception {
    String sentinel = "s3ntinel-of-the-test";
    Process process =
        start(
            Map.of(
                "HEADGATE_HTTP_PORT",
                "0",
                "HEADGATE_SOURCE_ZETA_MEMBERS",
                "http://127.0.0.1:1",
                "HEADGATE_SOURCE_ZETA_USERNAME",
                sentinel,
                "HEADGATE_SOURCE_ZETA_PASSWORD",
                sentinel));
    try {
      int port = awaitPort(process);
      HttpResponse<String> ready =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/health/ready"))
                      .timeout(Duration.ofSeconds(5))
                      .build(),
                  HttpResponse.BodyHandlers.ofString());
      assertThat(ready.statusCode()).isEqualTo(200);
      assertThat(ready.body()).contains("\"demo\":false");

      process.destroy(); // SIGTERM
      assertThat(process.waitFor(START_SECONDS, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isZero();
    } finally {
      process.destroyForcibly();
    }
    assertThat(read("err"))
        .contains("variable", "http.port=0", "listening on", "stopping", "stopped")
        .doesNotContain(sentinel);
    assertThat(read("out").lines())
        .as("standard output has access lines and nothing else")
        .singleElement()
        .asString()
        .startsWith("{\"time\":")
        .contains("\"route\":\"/health/ready\"", "\"status\":200");
    assertThat(read("classes"))
        .as("without traces no class of OpenTelemetry is loaded")
        .contains("io.headgate.edge.RequestWatch ")
        .doesNotContain("io.opentelemetry.");
  }

  private int awaitPort(Process process) {
    await()
        .atMost(Duration.ofSeconds(START_SECONDS))
        .pollInterval(Duration.ofMillis(50))
        .until(() -> !process.isAlive() || LISTENING.matcher(read("err")).find());
    Matcher listening = LISTENING.matcher(read("err"));
    assertThat(listening.find()).as("%s", read("err")).isTrue();
    return Integer.parseInt(listening.group(1));
  }

  /** How a process ended, and what it printed. */
  private record Ended(int code, String out, String err) {}

  private Ended run(Map<String, String> environment, String... arguments) {
    Process process = start(environment, arguments);
    try {
      assertThat(process.waitFor(START_SECONDS, TimeUnit.SECONDS)).as("it ends").isTrue();
      return new Ended(process.exitValue(), read("out"), read("err"));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } finally {
      process.destroyForcibly();
    }
  }

  private Process start(Map<String, String> environment, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // One quick compiler and a small heap: these processes live for a second. The tests' own
    // logging settings would hide what an operator sees.
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-Xmx96m"));
    command.add("-Dlogback.configurationFile=logback.xml");
    command.add("-Xlog:class+load:file=" + folder.resolve("classes"));
    command.addAll(List.of("-cp", classPath(), "io.headgate.Headgate"));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectOutput(folder.resolve("out").toFile())
            .redirectError(folder.resolve("err").toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("HEADGATE_"));
    builder.environment().putAll(environment);
    try {
      return builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String classPath() {
    return System.getProperty("java.class.path");
  }

  private String read(String name) {
    try {
      return Files.readString(folder.resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
