package io.headgate.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.graph.DescriptorGraphBuilder.Built;
import io.headgate.graph.DescriptorGraphBuilder.Stage;
import io.headgate.wire.CapExceededException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The graph of a descriptor: kinds, order, bytes. */
class DescriptorGraphTest {
  private static DescriptorGraph checked(DescriptorGraphBuilder builder) {
    Built built = builder.build();
    assertThat(built).isInstanceOf(Built.Checked.class);
    return ((Built.Checked) built).graph();
  }

  private static String json(DescriptorGraph graph) {
    return new String(
        DescriptorGraphWriter.write(graph, 1 << 20).toByteArray(), StandardCharsets.UTF_8);
  }

  private static DescriptorGraphBuilder builder() {
    DescriptorGraphBuilder builder = new DescriptorGraphBuilder("d\"1", GraphLimits.DEFAULT);
    builder.coder("c", List.of());
    return builder;
  }

  @Test
  void F4_a_graph_is_written_in_one_order_without_a_word_too_many() {
    List<Integer> order = new ArrayList<>(List.of(0, 1, 2, 3));
    for (int run = 0; run < 10; run++) {
      DescriptorGraphBuilder builder = builder();
      for (int each : order) {
        switch (each) {
          case 0 -> builder.transform("10", "urn:read", "Read").output("out", "c");
          case 1 -> {
            Stage stage = builder.transform("9", "urn:do", "Do\n");
            stage.input("b");
            stage.feed("b", "10", "out");
            stage.feed("b", "10", "out"); // given twice, shown once
            stage.input("a");
            stage.feed("a", "10", "out");
            stage.sideInput("side", "10", "out");
            stage.sideInput("z", "elsewhere", "x");
            stage.output("main", "c");
          }
          case 2 -> {
            Stage stage = builder.transform("w", "urn:write", "");
            stage.input("in");
            stage.feed("in", "9", "main");
          }
          default -> builder.transform("alone", "", "ä");
        }
      }
      assertThat(json(checked(builder)))
          .isEqualTo(
              "{\"schemaVersion\":1,\"descriptorId\":\"d\\\"1\",\"graphKind\":\"PROCESS_BUNDLE\","
                  + "\"idScope\":\"DESCRIPTOR\",\"nodes\":["
                  + "{\"id\":\"10\",\"kind\":\"SOURCE\",\"name\":\"Read\",\"urn\":\"urn:read\"},"
                  + "{\"id\":\"9\",\"kind\":\"TRANSFORM\",\"name\":\"Do\\n\",\"urn\":\"urn:do\"},"
                  + "{\"id\":\"alone\",\"kind\":\"SOURCE\",\"name\":\"ä\",\"urn\":\"\"},"
                  + "{\"id\":\"w\",\"kind\":\"SINK\",\"name\":\"\",\"urn\":\"urn:write\"}],"
                  + "\"edges\":["
                  + edge("10", "out", "9", "a", false)
                  + ","
                  + edge("10", "out", "9", "b", false)
                  + ","
                  + edge("10", "out", "9", "side", true)
                  + ","
                  + edge("9", "main", "w", "in", false)
                  + "],\"warnings\":[{\"code\":\"SIDE_INPUT_UNRESOLVED\",\"nodeId\":\"9\","
                  + "\"input\":\"z\"}]}");
      Collections.shuffle(order, new Random(run));
    }
  }

  private static String edge(
      String source, String output, String target, String input, boolean side) {
    return ("{\"sourceNodeId\":\"%s\",\"output\":\"%s\",\"targetNodeId\":\"%s\","
            + "\"input\":\"%s\",\"sideInput\":%s}")
        .formatted(source, output, target, input, side);
  }

  @Test
  void F4_what_has_no_inputs_is_a_source_even_if_it_feeds_nothing() {
    DescriptorGraphBuilder builder = builder();
    builder.transform("lonely", "u", "").output("o", "c");
    builder.transform("side-only", "u", "").sideInput("s", "lonely", "o");
    builder.transform("unfed", "u", "").input("i"); // an input that nothing feeds is one
    assertThat(checked(builder).nodes())
        .extracting(DescriptorGraph.Node::kind)
        .containsExactly(NodeKind.SOURCE, NodeKind.SOURCE, NodeKind.SINK);
  }

  @Test
  void F3_a_chain_of_ten_thousand_is_no_cycle_and_takes_no_stack() {
    DescriptorGraphBuilder builder = builder();
    for (int i = 0; i < 10_000; i++) {
      Stage stage = builder.transform("t" + i, "u", "");
      stage.output("o", "c");
      stage.input("i");
      if (i > 0) {
        stage.feed("i", "t" + (i - 1), "o");
      }
    }
    assertThat(checked(builder).edges()).hasSize(9_999);
  }

  @Test
  void F3_side_inputs_may_go_in_circles() {
    DescriptorGraphBuilder builder = builder();
    Stage a = builder.transform("a", "u", "");
    a.output("o", "c");
    a.sideInput("s", "b", "o");
    Stage b = builder.transform("b", "u", "");
    b.output("o", "c");
    b.sideInput("s", "a", "o");
    assertThat(checked(builder).edges()).hasSize(2);
  }

  @Test
  void F4_the_cap_holds_while_writing() {
    DescriptorGraphBuilder builder = builder();
    builder.transform("t", "u", "n");
    DescriptorGraph graph = checked(builder);
    int length = json(graph).length();
    assertThat(DescriptorGraphWriter.write(graph, length).length()).isEqualTo(length);
    assertThatThrownBy(() -> DescriptorGraphWriter.write(graph, length - 1))
        .isInstanceOf(CapExceededException.class);
  }
}
