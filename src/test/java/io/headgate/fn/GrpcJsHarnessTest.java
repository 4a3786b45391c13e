package io.headgate.fn;

import static io.headgate.fn.kit.FnGateway.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.fn.kit.FnGateway;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.beam.fn.v1.BeamFnApi.ProcessBundleSplitResponse;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A harness over {@code @grpc/grpc-js}, whose HTTP/2, gRPC and Protocol Buffers are none of Java's.
 * It is installed by npm; where that can't be, the test is skipped.
 */
class GrpcJsHarnessTest {
  private static final Path SOURCES = Path.of("src", "test", "node", "fn-harness");
  private static final Path INSTALLED = Path.of("target", "node", "fn-harness");
  private static final Path PROTO = Path.of("src", "main", "proto", "beam_fn_api.proto");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @BeforeAll
  static void install() throws IOException, InterruptedException {
    Files.createDirectories(INSTALLED);
    for (String file : List.of("package.json", "harness.js")) {
      Files.write(INSTALLED.resolve(file), Files.readAllBytes(SOURCES.resolve(file)));
    }
    if (!Files.isDirectory(INSTALLED.resolve("node_modules").resolve("@grpc"))) {
      boolean installed =
          succeeds("npm", "install", "--ignore-scripts", "--no-audit", "--no-package-lock");
      Assumptions.assumeTrue(installed, "npm can't install @grpc/grpc-js here");
    }
    Assumptions.assumeTrue(succeeds("node", "--version"), "there is no node here");
  }

  private static boolean succeeds(String... command) throws InterruptedException {
    try {
      Process process = process("install.log", List.of(command));
      boolean ended = process.waitFor(120, TimeUnit.SECONDS);
      process.destroyForcibly();
      return ended && process.exitValue() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static Process process(String log, List<String> command) throws IOException {
    File output = INSTALLED.resolve(log).toFile();
    return new ProcessBuilder(command)
        .directory(INSTALLED.toFile())
        .redirectErrorStream(true)
        .redirectOutput(output)
        .start();
  }

  @Test
  void F1_a_harness_that_nobody_wrote_in_java_uses_all_four_services_with_all_fields()
      throws IOException {
    try (FnGateway gateway = FnGateway.open()) {
      List<String> command = new ArrayList<>(List.of("node", "harness.js"));
      command.addAll(
          List.of(Integer.toString(gateway.port()), PROTO.toAbsolutePath().toString(), "node-1"));
      Process harness = process("harness.log", command);
      try {
        await()
            .atMost(PATIENCE)
            .until(
                () ->
                    get(gateway.runner().harnesses()).stream()
                        .anyMatch(each -> each.control() && each.data() && each.state()));
        gateway.register("d1");
        ControlLink.CacheToken token =
            new ControlLink.CacheToken(new PortId("work", "bag"), Buffer.buffer("token"));
        BundleHandle first = get(gateway.runner().start("node-1", "d1", List.of(token)));
        Future<Buffer> output = gateway.collect(first);
        await()
            .atMost(PATIENCE)
            .until(() -> get(first.status()).phase() == BundleStatus.Phase.RUNNING);
        assertThat(get(first.progress())).isEqualTo(new Answer.Progress(0.25, 3.5));
        ProcessBundleSplitResponse split =
            ProcessBundleSplitResponse.parseFrom(get(first.split(0.5)).splits().getBytes());
        assertThat(split.getSplits(0).getRemainingRestriction().getUrn()).isEqualTo("urn:todo");
        assertThat(split.getSplits(0).getCompletedRestriction().getData().getValue().toStringUtf8())
            .isEqualTo("done");
        gateway.give(first, "one ");
        assertThat(get(output)).hasToString("one ");
        assertThat(gateway.ended(first).phase()).isEqualTo(BundleStatus.Phase.SUCCEEDED);
        assertThat(run(gateway, "clear")).isEqualTo("clear");
        assertThat(run(gateway, "three")).isEqualTo("three");
        List<LogLine> log = awaitLog(gateway, 3);
        assertThat(log.get(0).severity()).isEqualTo(LogLine.Severity.NOTICE);
        assertThat(log.get(0))
            .extracting(
                LogLine::instruction,
                LogLine::transform,
                LogLine::trace,
                LogLine::location,
                LogLine::thread)
            .containsExactly(first.id(), "work", "trace", "harness.js:1", "main");
        assertThat(log.get(0).at()).hasToString("2023-11-14T22:13:20.000000005Z");
        assertThat(log.get(0).message())
            .isEqualTo(
                "{\"descriptor\":\"d1\",\"transforms\":\"read,work,write\",\"coders\":1,"
                    + "\"endpoint\":true,\"reference\":\"d1\",\"tokens\":\"work=token\","
                    + "\"fraction\":0.5,\"before\":\"\",\"own\":\"one \"}");
        assertThat(log.get(1).message()).contains("\"before\":\"one \",\"own\":\"one clear\"");
        assertThat(log.get(2).message()).contains("\"before\":\"\",\"own\":\"three\"");
      } finally {
        harness.destroyForcibly();
      }
    }
  }

  private static String run(FnGateway gateway, String text) {
    BundleHandle bundle = gateway.start("node-1", "d1");
    Future<Buffer> output = gateway.collect(bundle);
    gateway.give(bundle, text);
    return get(output).toString();
  }

  private static List<LogLine> awaitLog(FnGateway gateway, int lines) {
    return await()
        .atMost(PATIENCE)
        .until(() -> get(gateway.runner().log("node-1")), log -> log.size() == lines);
  }
}
