package io.headgate.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What becomes of reported table paths (L6) and when that is warned about (L7). */
class DatasetMetadataTest {
  private static final String DEFAULT = "default.default.default";

  static Stream<Arguments> reportedPaths() {
    return Stream.of(
        Arguments.of(paths("a.b"), "[\"a.b\"]", "REPORTED", false),
        Arguments.of(paths("b", "a", "b", "a"), "[\"a\",\"b\"]", "REPORTED", false),
        Arguments.of(paths("a", null), "[\"a\"]", "REPORTED", true),
        Arguments.of(paths("", "a"), "[\"a\"]", "REPORTED", true),
        Arguments.of(paths("a", DEFAULT), "[\"a\"]", "REPORTED", true),
        Arguments.of(paths("a", null, "", DEFAULT, null), "[\"a\"]", "REPORTED", true),
        Arguments.of(paths((String) null), "[]", "UNAVAILABLE", true),
        Arguments.of(paths(""), "[]", "UNAVAILABLE", true),
        Arguments.of(paths(DEFAULT, DEFAULT), "[]", "UNAVAILABLE", true),
        Arguments.of(paths(), "[]", "UNAVAILABLE", true),
        Arguments.of(null, "[]", "UNAVAILABLE", true),
        // Only the exact spelling is the engine's word for "no name".
        Arguments.of(
            paths("default.default", "DEFAULT.default.default", " "),
            "[\" \",\"DEFAULT.default.default\",\"default.default\"]",
            "REPORTED",
            false));
  }

  @ParameterizedTest(name = "{0} gives {1}, {2}, warned: {3}")
  @MethodSource("reportedPaths")
  void L6_L7_a_source_or_sink_shows_its_usable_paths_and_is_warned_about_once(
      @Nullable List<@Nullable String> paths, String shown, String metadata, boolean warned) {
    for (NodeKind kind : List.of(NodeKind.SOURCE, NodeKind.SINK)) {
      assertThat(single(kind, paths))
          .isEqualTo(
              "{\"schemaVersion\":1,\"jobId\":\"7\",\"graphKind\":\"EXECUTION\",\"idScope\":\"JOB\","
                  + "\"nodes\":[{\"id\":\"5\",\"kind\":\""
                  + kind
                  + "\",\"name\":\"n\",\"tablePaths\":"
                  + shown
                  + ",\"datasetMetadata\":\""
                  + metadata
                  + "\"}],\"edges\":[],\"warnings\":["
                  + (warned ? "{\"code\":\"DATASET_METADATA_UNAVAILABLE\",\"nodeId\":\"5\"}" : "")
                  + "]}");
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("reportedPaths")
  void L6_a_transform_never_shows_paths_nor_gets_a_warning(@Nullable List<@Nullable String> paths) {
    assertThat(single(NodeKind.TRANSFORM, paths))
        .contains("\"tablePaths\":[],\"datasetMetadata\":\"NOT_APPLICABLE\"}")
        .endsWith("\"warnings\":[]}");
  }

  @ParameterizedTest
  @EnumSource(NodeKind.class)
  void L6_one_node_s_paths_do_not_leak_into_the_next(NodeKind kind) {
    String json =
        ReportedGraph.empty()
            .with(new ReportedGraph.Node(1, kind, "n", paths("left.over", null)))
            .withSource(2, "a.b")
            .json();
    assertThat(json)
        .contains("\"id\":\"2\",\"kind\":\"SOURCE\",\"name\":\"in 2\",\"tablePaths\":[\"a.b\"]")
        .doesNotContain("\"nodeId\":\"2\"");
  }

  @Test
  void L7_every_incomplete_node_gets_its_own_single_warning() {
    String json = ReportedGraph.empty().withSource(1).withSink(2, null, null, "").json();
    assertThat(json.split("DATASET_METADATA_UNAVAILABLE", -1)).hasSize(3);
  }

  private static List<@Nullable String> paths(@Nullable String... paths) {
    return Arrays.asList(paths);
  }

  private static String single(NodeKind kind, @Nullable List<@Nullable String> paths) {
    return ReportedGraph.empty().with(new ReportedGraph.Node(5, kind, "n", paths)).json();
  }
}
