package io.headgate.upstream.zeta;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.headgate.graph.GraphLimits;
import io.headgate.kit.PublicationBody;
import io.headgate.upstream.zeta.PublicationParser.Parsed;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** E-B5: bodies that are made to cost more than they weigh. */
class PublicationBombTest {
  private static final int SIZE = 1 << 20;
  private static final int ROUNDS = 12;

  /**
   * A string of its own for each path, of one character, is what costs most. It is garbage at once:
   * nothing of a graph that passes a limit is kept.
   */
  private static final int MOST_GARBAGE = 16;

  private static final long MOST_CPU_NANOS = 50_000_000;

  static Stream<Arguments> bombs() {
    PublicationBody body = PublicationBody.of(7);
    String dag = body.graph();
    return Stream.of(
        bomb("brackets", "[".repeat(SIZE)),
        bomb("objects", "{\"a\":".repeat(SIZE / 5)),
        bomb("brackets in the graph", body.graph("{\"a\":" + "[".repeat(SIZE)).json()),
        bomb("a number", "{\"epoch\":" + "1".repeat(SIZE) + "}"),
        bomb("a name", "{\"" + "a".repeat(SIZE) + "\":1}"),
        bomb("a name of escapes", "{\"" + "\\u0061".repeat(SIZE / 6) + "\":1}"),
        bomb("a status", body.status("a".repeat(SIZE)).json()),
        bomb("a time of escapes", "{\"createdAt\":\"" + "\\u0030".repeat(SIZE / 6) + "\"}"),
        bomb("members", "{" + "\"a\":1,".repeat(SIZE / 6) + "\"a\":1}"),
        bomb("white space", " ".repeat(SIZE)),
        bomb("bytes that are no text", "\u0000".repeat(SIZE)),
        bomb("nodes that are none", body.graph(nodes("0,".repeat(SIZE / 2) + "0")).json()),
        bomb("empty nodes", body.graph(nodes("{},".repeat(SIZE / 3) + "{}")).json()),
        bomb(
            "members of a node",
            body.graph(nodes("{" + "\"a\":0,".repeat(SIZE / 6) + "\"a\":0}")).json()),
        bomb(
            "names of a node",
            body.graph(nodes("{" + name("a").repeat(SIZE / 17) + "\"a\":0}")).json()),
        bomb("a long name", body.graph(nodes("{" + name("a".repeat(SIZE)) + "\"a\":0}")).json()),
        bomb(
            "paths",
            body.graph(nodes("{\"tablePaths\":[" + "\"a\",".repeat(SIZE / 4) + "\"a\"]}")).json()),
        bomb(
            "paths of escapes",
            body.graph(nodes("{\"tablePaths\":[\"" + "\\u0061".repeat(SIZE / 6) + "\"]}")).json()),
        bomb("keys of nodes", body.graph(keyed("\"1\":0,".repeat(SIZE / 6))).json()),
        bomb("a key of nodes", body.graph(keyed("\"" + "1".repeat(SIZE) + "\":0,")).json()),
        bomb("pipelines", body.graph(pipelines("\"1\":[],".repeat(SIZE / 7))).json()),
        bomb("edges", body.graph(pipelines("\"1\":[" + "0,".repeat(SIZE / 2) + "0],")).json()),
        bomb("a graph twice", body.extra(",\"graph\":" + dag).json() + " ".repeat(SIZE)));
  }

  private static Arguments bomb(String what, String json) {
    return Arguments.of(what, json);
  }

  private static String nodes(String elements) {
    return "{\"jobId\":\"7\",\"pipelineEdges\":{},\"vertexInfoMap\":[" + elements + "]}";
  }

  private static String name(String name) {
    return "\"vertexName\":\"" + name + "\",";
  }

  private static String keyed(String members) {
    return "{\"jobId\":\"7\",\"pipelineEdges\":{},\"vertexInfoMap\":{" + members + "\"2\":0}}";
  }

  private static String pipelines(String members) {
    return "{\"jobId\":\"7\",\"vertexInfoMap\":[],\"pipelineEdges\":{" + members + "\"2\":[]}}";
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("bombs")
  void a_bomb_is_refused_for_little(String what, String json) {
    ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    PublicationParser parser = new PublicationParser(GraphLimits.DEFAULT);
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    long cpu = Long.MAX_VALUE;
    long allocated = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      byte[] body = bytes.clone();
      long cpuBefore = thread.getCurrentThreadCpuTime();
      long allocatedBefore = thread.getCurrentThreadAllocatedBytes();
      Parsed parsed = parser.parse(body, 7);
      allocated = Math.min(allocated, thread.getCurrentThreadAllocatedBytes() - allocatedBefore);
      cpu = Math.min(cpu, thread.getCurrentThreadCpuTime() - cpuBefore);
      assertThat(parsed).isNotInstanceOf(Parsed.Accepted.class);
    }
    assertThat(cpu).as("CPU").isLessThan(MOST_CPU_NANOS);
    assertThat(allocated).as("bytes, garbage among them").isLessThan((long) MOST_GARBAGE * SIZE);
  }
}
