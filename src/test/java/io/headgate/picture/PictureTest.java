package io.headgate.picture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.headgate.graph.Deadline;
import io.headgate.graph.GraphWriter;
import io.headgate.graph.NodeKind;
import io.headgate.graph.ReportedGraph;
import io.headgate.wire.CapExceededException;
import io.headgate.wire.Digests;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a picture shows, and where it shows groups instead. */
class PictureTest {
  /**
   * The tag of the picture below under {@link SvgPainter#EDITION}. If it differs, pictures have
   * changed: raise the number there, and put the new tag here.
   */
  private static final String TAG = "\"ka-CIsk8LZc8-XnUGWsHX45d\"";

  private static ReportedGraph example() {
    return ReportedGraph.empty()
        .with(
            new ReportedGraph.Node(
                1, NodeKind.SOURCE, "Orders", List.of("a.b", "a.c", "a.d", "a.e", "a.f")))
        .withSource(2)
        .withTransform(3)
        .withSink(4, "x.y", null)
        .withEdge(1, 1, 3)
        .withEdge(1, 2, 3)
        .withEdge(1, 3, 4);
  }

  /** So many nodes and edges, none twice, from lower ids to higher ones. */
  private static ReportedGraph random(int nodes, int edges, int reach) {
    Random random = new Random(42);
    List<ReportedGraph.Node> all = new ArrayList<>();
    for (int id = 1; id <= nodes; id++) {
      NodeKind kind = NodeKind.values()[random.nextInt(3)];
      all.add(new ReportedGraph.Node(id, kind, "stage " + id, List.of("db.t" + id)));
    }
    List<ReportedGraph.Edge> between = new ArrayList<>();
    while (between.size() < edges) {
      int source = 1 + random.nextInt(nodes - 1);
      int target = Math.min(nodes, source + 1 + random.nextInt(reach));
      ReportedGraph.Edge edge = new ReportedGraph.Edge(1, source, target);
      if (!between.contains(edge)) {
        between.add(edge);
      }
    }
    return new ReportedGraph(7, all, between);
  }

  @Test
  void every_node_and_edge_is_there_with_what_is_known_of_it() {
    Drawn drawn = Drawn.of(example());
    assertThat(drawn.grouped).isFalse();
    assertThat(drawn.boxes()).containsExactly("1", "2", "3", "4");
    assertThat(drawn.lines()).containsExactly("1", "1", "1");
    assertThat(drawn.written())
        .contains("SOURCE 1", "Orders", "a.b", "a.c", "a.d", "+ 2", "TRANSFORM 3", "via 3", "x.y")
        .contains("no dataset metadata", "dataset metadata incomplete", "Pipeline 1")
        .contains("2 sources, 1 transform, 1 sink, 3 edges in 1 pipeline")
        .contains("2 nodes with missing dataset metadata")
        .doesNotContain("a.e");
  }

  @Test
  void kinds_differ_in_shape_and_missing_metadata_in_the_outline() {
    Drawn drawn = Drawn.of(example());
    assertThat(List.of("1", "3", "4"))
        .extracting(id -> drawn.outline(id).getAttribute("d").replaceAll("[0-9. ]", ""))
        .doesNotHaveDuplicates();
    assertThat(List.of("1", "3", "4"))
        .extracting(id -> drawn.outline(id).getAttribute("fill"))
        .doesNotHaveDuplicates();
    assertThat(drawn.text.split("stroke-dasharray=\"6 3\"", -1)).as("2 and 4").hasSize(3);
  }

  @Test
  void it_has_a_title_and_a_description_and_nothing_that_acts() {
    Drawn drawn = Drawn.of(example());
    assertThat(drawn.document.getDocumentElement().getAttribute("role")).isEqualTo("img");
    assertThat(drawn.all("title").get(0).getTextContent()).isEqualTo("Lineage of job 7");
    assertThat(drawn.description()).contains("3 edges in 1 pipeline", "Orders (1) to via 3 (3)");
    assertThat(drawn.text)
        .doesNotContain("<style", "<script", "style=", "class=", "href", "url(", "<image", "<a ")
        .doesNotContainPattern(" on[a-z]+=");
    assertThat(drawn.text.replace("xmlns=\"http://www.w3.org/2000/svg\"", ""))
        .doesNotContain("http");
  }

  @Test
  void a_label_has_eighty_characters_at_most_and_no_half_ones() {
    Drawn drawn =
        Drawn.of(
            ReportedGraph.empty()
                .with(new ReportedGraph.Node(1, NodeKind.SINK, "n".repeat(80), List.of()))
                .with(new ReportedGraph.Node(2, NodeKind.SINK, "m".repeat(81), List.of()))
                .with(
                    new ReportedGraph.Node(
                        3, NodeKind.SINK, "\uD83D\uDE00".repeat(81), List.of("p".repeat(4096)))));
    assertThat(drawn.written())
        .contains(
            "n".repeat(80),
            "m".repeat(79) + "\u2026",
            "\uD83D\uDE00".repeat(79) + "\u2026",
            "p".repeat(79) + "\u2026");
  }

  @Test
  void what_would_turn_or_break_its_surroundings_is_replaced() {
    String hostile = "\u202egnp\u2066\u200f\u061c<script>alert(1)</script>&\u0000\u000b\uFFFF";
    Drawn drawn =
        Drawn.of(
            ReportedGraph.empty()
                .with(new ReportedGraph.Node(1, NodeKind.SINK, hostile, List.of("a\tb\nc"))));
    assertThat(drawn.written())
        .contains("\uFFFDgnp\uFFFD\uFFFD\uFFFD<script>alert(1)</script>&\uFFFD\uFFFD\uFFFD")
        .contains("a b c");
    assertThat(drawn.all("script")).isEmpty();
    assertThat(Labels.of("a\uD800b\uDC00")).isEqualTo("a\uFFFDb\uFFFD");
  }

  @Test
  void graphs_without_edges_and_parts_that_are_not_connected_are_pictures_too() {
    Drawn loners = Drawn.of(ReportedGraph.empty().withSource(1, "a.b").withSink(2));
    assertThat(loners.boxes()).containsExactly("1", "2");
    assertThat(loners.written()).contains("Without edges").doesNotContain("Pipeline 1");

    Drawn drawn =
        Drawn.of(
            ReportedGraph.empty()
                .withSource(1)
                .withSink(2)
                .withSource(3)
                .withSink(4)
                .withTransform(5)
                .withEdge(9, 1, 2)
                .withEdge(2, 3, 4)
                .withEdge(7, 3, 4));
    assertThat(drawn.written())
        .containsSubsequence("Pipelines 2, 7", "Pipeline 9", "Without edges");
    assertThat(drawn.lines()).containsExactly("2", "7", "9");
    assertThat(drawn.boxes()).containsExactlyInAnyOrder("1", "2", "3", "4", "5");
  }

  @Test
  void exactly_at_a_cap_all_is_drawn_and_one_over_in_groups() {
    PictureConfig caps = new PictureConfig(4, 3, Duration.ofSeconds(10));
    assertThat(Drawn.of(example(), caps).grouped).isFalse();
    assertThat(Drawn.of(example().withSink(5), caps).grouped).isTrue();
    assertThat(Drawn.of(example().withEdge(1, 1, 4), caps).grouped).isTrue();
  }

  @Test
  void a_graph_at_the_default_caps_is_drawn_and_one_over_is_not() {
    Drawn drawn = Drawn.of(random(300, 1_000, 6));
    assertThat(drawn.grouped).isFalse();
    assertThat(drawn.boxes()).hasSize(300);
    assertThat(drawn.lines()).hasSize(1_000);
    assertThat(Drawn.of(random(301, 1_000, 6)).grouped).isTrue();
    assertThat(Drawn.of(random(300, 1_001, 6)).grouped).isTrue();
  }

  @Test
  void edges_that_pass_too_many_columns_are_drawn_in_groups() {
    ReportedGraph chain = ReportedGraph.chain(300);
    List<ReportedGraph.Edge> edges = new ArrayList<>(chain.edges());
    for (int source = 1; source <= 100; source++) {
      edges.add(new ReportedGraph.Edge(1, source, source + 199));
    }
    Drawn drawn = Drawn.of(new ReportedGraph(7, chain.nodes(), edges));
    assertThat(drawn.grouped).isTrue();
    assertThat(drawn.description()).contains("too long to be drawn one by one");
    assertThat(Drawn.of(chain).grouped).isFalse();
  }

  @Test
  void groups_count_nodes_edges_and_what_is_missing_in_each_pipeline() {
    ReportedGraph graph =
        example()
            .withTransform(5)
            .withSink(6)
            .withSource(7, "a.b")
            .withEdge(1, 3, 5)
            .withEdge(1, 1, 4)
            .withEdge(2, 1, 6);
    Drawn drawn = Drawn.of(graph, new PictureConfig(1, 1, Duration.ofSeconds(10)));
    assertThat(drawn.written())
        .containsSubsequence(
            "3 sources, 2 transforms, 2 sinks, 6 edges in 2 pipelines",
            "Drawn in groups: one by one, at most 1 nodes and 1 edges are drawn",
            "All of it as JSON: job-lineage/7",
            "Pipeline 1",
            "2 edges", // from sources to transforms
            "1 edge",
            "1 edge",
            "2 sources",
            "1 with missing metadata",
            "2 transforms",
            "1 edge among them",
            "1 sink",
            "1 with missing metadata",
            "Pipeline 2",
            "1 edge",
            "1 source",
            "1 sink",
            "1 with missing metadata",
            "Without edges",
            "1 source");
  }

  @Test
  void very_many_pipelines_share_a_row() {
    ReportedGraph graph = ReportedGraph.empty().withSource(1).withSink(2);
    for (int pipeline = 1; pipeline <= GroupedPicture.ROWS + 2; pipeline++) {
      graph = graph.withEdge(pipeline, 1, 2);
    }
    Drawn drawn = Drawn.of(graph, new PictureConfig(1, 1, Duration.ofSeconds(10)));
    assertThat(drawn.boxes()).hasSize(2 * (GroupedPicture.ROWS + 1));
    assertThat(drawn.written()).contains("2 further pipelines", "2 edges");
  }

  @Test
  void a_bundle_descriptor_has_urns_and_dashed_side_inputs_and_no_pipelines() {
    String answer =
        "{\"schemaVersion\":1,\"descriptorId\":\"d<1>\",\"graphKind\":\"PROCESS_BUNDLE\","
            + "\"idScope\":\"DESCRIPTOR\",\"nodes\":[{\"id\":\"a\",\"kind\":\"SOURCE\",\"name\":\"\","
            + "\"urn\":\"urn:x\"},{\"id\":\"b\",\"kind\":\"SINK\",\"name\":\"B\",\"urn\":\"\"}],"
            + "\"edges\":[{\"sourceNodeId\":\"a\",\"output\":\"o\",\"targetNodeId\":\"b\","
            + "\"input\":\"i\",\"sideInput\":false},{\"sourceNodeId\":\"b\",\"output\":\"o\","
            + "\"targetNodeId\":\"b\",\"input\":\"i\",\"sideInput\":true}],\"warnings\":[{\"code\":"
            + "\"SIDE_INPUT_UNRESOLVED\",\"nodeId\":\"b\",\"input\":\"z\"}]}";
    Drawn drawn = Drawn.ofAnswer(answer.getBytes(StandardCharsets.UTF_8), PictureConfig.DEFAULT);
    assertThat(drawn.written())
        .contains("Lineage of bundle descriptor d<1>", "urn:x", "(no name)")
        .contains("side input from elsewhere", "1 source, 0 transforms, 1 sink, 2 edges")
        .noneMatch(line -> line.startsWith("Pipeline"));
    assertThat(drawn.text).contains("stroke-dasharray=\"5 4\"");
  }

  @Test
  void what_one_node_feeds_stands_in_order_and_the_node_in_the_middle() {
    ReportedGraph fan = ReportedGraph.empty().withSource(1);
    for (int sink = 2; sink <= 12; sink++) {
      fan = fan.withSink(sink).withEdge(1, 1, sink);
    }
    Drawn drawn = Drawn.of(fan);
    List<Integer> sinks = IntStream.rangeClosed(2, 12).mapToObj(id -> middle(drawn, id)).toList();
    assertThat(sinks).as("heights of the sinks, by id").isSorted();
    assertThat(middle(drawn, 1))
        .as("height of the source")
        .isCloseTo((sinks.get(0) + sinks.get(10)) / 2, within(20));
  }

  /** The height at which a box has its middle, in pixels from the top. */
  private static int middle(Drawn drawn, int id) {
    return drawn.all("svg").stream()
        .filter(box -> box.getAttribute("data-node").equals(Integer.toString(id)))
        .mapToInt(
            box ->
                Integer.parseInt(box.getAttribute("y"))
                    + Integer.parseInt(box.getAttribute("height")) / 2)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void the_same_graph_gives_the_same_bytes_whatever_its_order_the_thread_and_the_jvm() {
    ReportedGraph graph = random(60, 140, 20);
    String drawn = Drawn.of(graph).text;
    byte[] bytes = drawn.getBytes(StandardCharsets.UTF_8);
    assertThat(Digests.etag(bytes, bytes.length)).as("see TAG").isEqualTo(TAG);

    // Another thread gives objects other identity hashes, and with them other orders of hash maps.
    List<CompletableFuture<String>> others = new ArrayList<>();
    for (int seed = 0; seed < 6; seed++) {
      CompletableFuture<String> other = new CompletableFuture<>();
      ReportedGraph shuffled = shuffled(graph, seed);
      new Thread(() -> other.complete(Drawn.of(shuffled).text)).start();
      others.add(other);
    }
    assertThat(others).allSatisfy(other -> assertThat(other.join()).isEqualTo(drawn));
  }

  private static ReportedGraph shuffled(ReportedGraph graph, long seed) {
    List<ReportedGraph.Node> nodes = new ArrayList<>(graph.nodes());
    List<ReportedGraph.Edge> edges = new ArrayList<>(graph.edges());
    Collections.shuffle(nodes, new Random(seed));
    Collections.shuffle(edges, new Random(seed));
    return new ReportedGraph(graph.jobId(), nodes, edges);
  }

  @Test
  void L13_no_picture_passes_its_cap() {
    byte[] answer = GraphWriter.write(example().checked(), 1 << 20).toByteArray();
    Deadline deadline = Deadline.in(Duration.ofMinutes(1));
    int length = painted(answer, 1 << 20, deadline);
    assertThat(painted(answer, length, deadline)).isEqualTo(length);
    assertThatThrownBy(() -> painted(answer, length - 1, deadline))
        .isInstanceOf(CapExceededException.class);
  }

  @Test
  void a_layout_whose_deadline_has_passed_ends_at_its_next_step() {
    byte[] answer = GraphWriter.write(random(300, 1_000, 60).checked(), 1 << 20).toByteArray();
    assertThatThrownBy(() -> painted(answer, 1 << 20, Deadline.in(Duration.ZERO)))
        .isInstanceOf(CancellationException.class);
  }

  private static int painted(byte[] answer, int cap, Deadline deadline) {
    return new SvgPainter(PictureConfig.DEFAULT, cap).paint(answer, deadline).svg().length();
  }
}
