package io.headgate.peer;

import static io.headgate.fn.kit.FnGateway.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.headgate.fn.Answer;
import io.headgate.fn.BundleFailedException;
import io.headgate.fn.BundleHandle;
import io.headgate.fn.BundleInput;
import io.headgate.fn.ControlLink.CacheToken;
import io.headgate.fn.HarnessStatus;
import io.headgate.fn.LogLine;
import io.headgate.fn.kit.FnGateway;
import io.headgate.fn.kit.Samples;
import io.headgate.fn.kit.TestHarness;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.beam.fn.v1.BeamFnApi.Elements;
import org.apache.beam.fn.v1.BeamFnApi.FunctionSpec;
import org.apache.beam.fn.v1.BeamFnApi.InstructionRequest;
import org.apache.beam.fn.v1.BeamFnApi.InstructionResponse;
import org.apache.beam.fn.v1.BeamFnApi.LogControl;
import org.apache.beam.fn.v1.BeamFnApi.LogEntry;
import org.apache.beam.fn.v1.BeamFnApi.PrimitiveTransform;
import org.apache.beam.fn.v1.BeamFnApi.ProcessBundleDescriptor;
import org.apache.beam.fn.v1.BeamFnApi.ProcessBundleSplitResponse;
import org.apache.beam.fn.v1.BeamFnApi.SideInput;
import org.apache.beam.fn.v1.BeamFnApi.StateRequest;
import org.apache.beam.fn.v1.BeamFnApi.StateResponse;
import org.junit.jupiter.api.Test;

/** A client that shares no line with ours, not even a virtual machine: gRPC of Node.js. */
class GrpcJsTest {
  private static final Duration START_LIMIT = Duration.ofSeconds(90);
  private static final String ID = "grpc-js";

  private static final Map<String, Message> UP =
      Map.of(
          "Control", InstructionResponse.getDefaultInstance(),
          "Data", Elements.getDefaultInstance(),
          "State", StateRequest.getDefaultInstance(),
          "Logging", LogEntry.List.getDefaultInstance());
  private static final Map<String, Message> DOWN =
      Map.of(
          "Control", InstructionRequest.getDefaultInstance(),
          "Data", Elements.getDefaultInstance(),
          "State", StateResponse.getDefaultInstance(),
          "Logging", LogControl.getDefaultInstance());

  @Test
  void F1_grpc_js_runs_all_four_services_and_every_field_crosses() throws IOException {
    try (FnGateway gateway = FnGateway.open();
        GrpcJs client = connect(gateway)) {
      gateway.register(full());
      InstructionRequest expected = asGrpcJavaGetsIt(gateway);

      askOfOneAtWork(gateway);
      String held = "1400000:" + "a".repeat(700_000) + "b".repeat(700_000);
      assertThat(output(gateway, "remember").equals("0:" + held + "remember")).isTrue();
      assertThat(output(gateway, "forget").equals(held + "0:forget")).isTrue();
      assertThat(output(gateway, "look")).isEqualTo("0:0:look");
      assertThatThrownBy(() -> output(gateway, "fail")).isInstanceOf(BundleFailedException.class);

      get(gateway.stop());
      assertThat(client.awaitExit()).as("exit code; see %s", GrpcJs.errors()).isZero();
      Set<FieldDescriptor> crossed = new HashSet<>();
      for (String line : Files.readAllLines(GrpcJs.messages())) {
        Message message = parse(line.split(" "));
        collect(message, crossed);
        if (message instanceof InstructionRequest request && request.hasRegister()) {
          assertThat(request.getRegister()).isEqualTo(expected.getRegister());
        }
      }
      Set<FieldDescriptor> all = new HashSet<>();
      UP.values().forEach(message -> reach(message.getDescriptorForType(), all));
      DOWN.values().forEach(message -> reach(message.getDescriptorForType(), all));
      assertThat(crossed).containsExactlyInAnyOrderElementsOf(all);
    }
  }

  @Test
  void the_harness_of_the_manual_gives_back_what_it_gets() {
    try (FnGateway gateway = FnGateway.open();
        GrpcJs client = GrpcJs.echoing(gateway.port(), "w1")) {
      await("connected: " + GrpcJs.errors())
          .atMost(START_LIMIT)
          .failFast("exited early: " + GrpcJs.errors(), () -> !client.running())
          .until(() -> get(gateway.runner().harnesses()).stream().anyMatch(HarnessStatus::data));
      gateway.register("d1");
      BundleHandle bundle = gateway.start("w1", "d1");
      Future<Buffer> output = gateway.collect(bundle);
      gateway.give(bundle, "hello");
      assertThat(get(output)).hasToString("hello");
      get(gateway.stop());
      assertThat(client.awaitExit()).as("exit code; see %s", GrpcJs.errors()).isZero();
    }
  }

  private static GrpcJs connect(FnGateway gateway) {
    GrpcJs client = GrpcJs.start(gateway.port());
    try {
      await("connected: " + GrpcJs.errors())
          .atMost(START_LIMIT)
          .failFast("exited early: " + GrpcJs.errors(), () -> !client.running())
          .until(
              () -> get(gateway.runner().harnesses()),
              found -> found.stream().anyMatch(GrpcJsTest::hasAllFour));
      return client;
    } catch (RuntimeException | Error e) {
      client.close();
      throw e;
    }
  }

  private static boolean hasAllFour(HarnessStatus harness) {
    return harness.id().equals(ID)
        && harness.control()
        && harness.data()
        && harness.state()
        && harness.logging();
  }

  /** A descriptor that leaves no field of one out. */
  private static ProcessBundleDescriptor full() {
    ProcessBundleDescriptor.Builder descriptor = Samples.descriptor("d1").toBuilder();
    descriptor.addCoders(Samples.coder("list", "bytes"));
    PrimitiveTransform.Builder work = descriptor.getPrimitiveTransformBuilder(1);
    FunctionSpec function =
        work.getFunctionSpec().toBuilder().setEnvironmentReference("environment").build();
    work.setFunctionSpec(function)
        .putSideInputs(
            "side",
            SideInput.newBuilder()
                .setInput(Samples.target("elsewhere", "out"))
                .setViewFn(function)
                .build());
    return descriptor.build();
  }

  private static InstructionRequest asGrpcJavaGetsIt(FnGateway gateway) {
    try (TestHarness other = TestHarness.connect(gateway.port(), "grpc-java")) {
      BundleHandle bundle = gateway.start("grpc-java", "d1");
      InstructionRequest register = other.takeRegister();
      get(bundle.cancel());
      return register;
    }
  }

  /** Progress, split, cache tokens, and a log entry. */
  private static void askOfOneAtWork(FnGateway gateway) throws InvalidProtocolBufferException {
    CacheToken token = new CacheToken(Samples.OUT, Buffer.buffer("token"));
    BundleHandle bundle = get(gateway.runner().start(ID, "d1", List.of(token)));
    Future<Buffer> output = gateway.collect(bundle);
    BundleInput input = get(bundle.input(Samples.IN));
    await().until(() -> !get(gateway.runner().log(ID)).isEmpty());
    assertThat(get(bundle.progress())).isEqualTo(new Answer.Progress(0.25, 7.5));
    ProcessBundleSplitResponse split =
        ProcessBundleSplitResponse.parseFrom(get(bundle.split(0.5)).splits().getBytes());
    assertThat(split.getSplits(0).getRemainingRestriction().getData().getValue().toStringUtf8())
        .isEqualTo("remaining");
    input.end();
    assertThat(get(output)).hasToString("0:0:");
    assertThat(get(gateway.runner().log(ID)))
        .containsExactly(
            new LogLine(
                LogLine.Severity.CRITICAL,
                Instant.ofEpochSecond(1_500_000_000, 7),
                "process d1",
                "at some.place",
                bundle.id(),
                "work",
                "harness.js",
                "main"));
  }

  private static String output(FnGateway gateway, String text) {
    BundleHandle bundle = gateway.start(ID, "d1");
    Future<Buffer> output = gateway.collect(bundle);
    gateway.give(bundle, text);
    return get(output).toString();
  }

  private static Message parse(String[] line) throws InvalidProtocolBufferException {
    Message kind = (line[1].equals("up") ? UP : DOWN).get(line[0]);
    byte[] bytes = line.length > 2 ? Base64.getDecoder().decode(line[2]) : new byte[0];
    return kind.getParserForType().parseFrom(bytes);
  }

  /** Fields that say something in this message, or in one inside it. */
  private static void collect(Message message, Set<FieldDescriptor> fields) {
    message
        .getAllFields()
        .forEach(
            (field, value) -> {
              fields.add(field);
              if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
                List<?> values = field.isRepeated() ? (List<?>) value : List.of(value);
                values.forEach(inner -> collect((Message) inner, fields));
              }
            });
  }

  /** Fields of messages of this type, and of those inside. */
  private static void reach(Descriptor type, Set<FieldDescriptor> fields) {
    for (FieldDescriptor field : type.getFields()) {
      if (fields.add(field) && field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
        reach(field.getMessageType(), fields);
      }
    }
  }
}
