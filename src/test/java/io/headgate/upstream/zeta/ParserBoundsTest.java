package io.headgate.upstream.zeta;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.graph.Excess;
import io.headgate.graph.GraphLimits;
import io.headgate.graph.Inconsistency;
import io.headgate.graph.Lookup;
import io.headgate.graph.ReportedGraph;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bounds of the JSON reader (L14) and the cap of the body (L12), at and one over. */
class ParserBoundsTest {
  private static final Lookup TOO_LARGE = new Lookup.TooLarge(Excess.PARSER_BOUND, false);
  private static final String GRAPH = Shapes.plain().a(ReportedGraph.chain(3));

  private static String nested(int depth) {
    StringBuilder json = new StringBuilder();
    for (int i = 0; i < depth; i++) {
      json.append(i % 2 == 0 ? "[" : "{\"a\":");
    }
    json.append('0');
    for (int i = depth - 1; i >= 0; i--) {
      json.append(i % 2 == 0 ? "]" : "}");
    }
    return json.toString();
  }

  @Test
  void L14_a_depth_of_64_is_read_and_65_is_not() {
    assertThat(withMetrics(nested(63))).isInstanceOf(Lookup.Found.class);
    assertThat(withMetrics(nested(64))).isEqualTo(TOO_LARGE);
  }

  @Test
  void L14_a_depth_of_64_inside_the_graph_is_read_and_65_is_not() {
    assertThat(read(inGraph(nested(62)))).isInstanceOf(Lookup.Found.class);
    assertThat(read(inGraph(nested(63)))).isEqualTo(TOO_LARGE);
  }

  @Test
  void L14_a_depth_of_64_inside_a_graph_in_a_string_is_read_and_65_is_not() {
    assertThat(read(Shapes.plain().string(inGraph(nested(63))))).isInstanceOf(Lookup.Found.class);
    assertThat(read(Shapes.plain().string(inGraph(nested(64))))).isEqualTo(TOO_LARGE);
  }

  @Test
  void L14_a_number_of_64_characters_is_read_and_65_is_not() {
    assertThat(withMetrics("1".repeat(64))).isInstanceOf(Lookup.Found.class);
    assertThat(withMetrics("1".repeat(65))).isEqualTo(TOO_LARGE);
    assertThat(withMetrics("-1." + "1".repeat(61))).isInstanceOf(Lookup.Found.class);
    assertThat(withMetrics("-1." + "1".repeat(62))).isEqualTo(TOO_LARGE);
  }

  @Test
  void L14_an_overlong_number_inside_the_graph_is_too_large_in_every_shape() {
    String fits = inGraph("1".repeat(64));
    String over = inGraph("1".repeat(66));
    assertThat(read(fits)).isInstanceOf(Lookup.Found.class);
    assertThat(read(over)).isEqualTo(TOO_LARGE);
    assertThat(read(Shapes.plain().string(fits))).isInstanceOf(Lookup.Found.class);
    assertThat(read(Shapes.plain().string(over))).isEqualTo(TOO_LARGE);
  }

  @Test
  void L14_an_id_too_long_for_the_reader_is_too_large_and_a_shorter_one_only_malformed() {
    String ids = GRAPH.replace("\"vertexId\":1,", "\"vertexId\":%s,");
    assertThat(read(ids.formatted("1".repeat(64))))
        .isEqualTo(new Lookup.Inconsistent(Inconsistency.MALFORMED_ID, false));
    assertThat(read(ids.formatted("1".repeat(65)))).isEqualTo(TOO_LARGE);
  }

  @Test
  void L14_a_name_past_the_reader_s_string_bound_is_too_large_whatever_the_limit() {
    GraphLimits limits = new GraphLimits(10, 10, 10, Integer.MAX_VALUE, Integer.MAX_VALUE);
    String named = GRAPH.replace("\"n1\"", "\"%s\"");
    assertThat(read(named.formatted("x".repeat(1 << 20)), limits)).isInstanceOf(Lookup.Found.class);
    assertThat(read(named.formatted("x".repeat((1 << 20) + 1)), limits)).isEqualTo(TOO_LARGE);
  }

  @Test
  void L12_a_name_past_the_limit_but_not_the_reader_s_bound_is_too_large_by_its_bytes() {
    String named = GRAPH.replace("\"n1\"", "\"%s\"");
    assertThat(read(named.formatted("x".repeat(4_096)))).isInstanceOf(Lookup.Found.class);
    assertThat(read(named.formatted("x".repeat(4_097))))
        .isEqualTo(new Lookup.TooLarge(Excess.STRING_BYTES, false));
  }

  @Test
  void L14_a_long_string_among_what_is_passed_over_is_no_matter() {
    String text = "\"" + "x".repeat(3 << 20) + "\"";
    assertThat(withMetrics(text)).isInstanceOf(Lookup.Found.class);
    assertThat(withMetrics("{" + text + ":1}")).isInstanceOf(Lookup.Found.class);
    assertThat(read(inGraph(text))).isInstanceOf(Lookup.Found.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"[", "{\"a\":", "[[{\"a\":"})
  void L14_a_bomb_of_open_brackets_is_refused_within_its_first_hundred_levels(String open) {
    byte[] bomb = ("{\"metrics\":" + open.repeat(1_000)).getBytes(StandardCharsets.UTF_8);
    JobInfoSlicer slicer = new JobInfoSlicer(Reading.MAX_BYTES);
    int taken = 0;
    while (slicer.feed(new byte[] {bomb[taken++]})) {
      assertThat(taken).as("bytes taken of a bomb").isLessThan(open.length() * 100);
    }
    assertThat(slicer.excess()).isEqualTo(Excess.PARSER_BOUND);
  }

  @Test
  void L12_a_body_of_exactly_the_cap_is_read_and_one_byte_more_is_not() {
    byte[] body = Shapes.plain().active(7, GRAPH).getBytes(StandardCharsets.UTF_8);
    for (int chunk : new int[] {1, 7, Integer.MAX_VALUE}) {
      assertThat(capped(body, chunk, body.length)).isInstanceOf(Lookup.Found.class);
      assertThat(capped(body, chunk, body.length - 1))
          .isEqualTo(new Lookup.TooLarge(Excess.UPSTREAM_BYTES, false));
    }
  }

  @Test
  void L12_white_space_after_the_body_counts_too() {
    byte[] body = (Shapes.plain().active(7, GRAPH) + " ").getBytes(StandardCharsets.UTF_8);
    assertThat(capped(body, Integer.MAX_VALUE, body.length)).isInstanceOf(Lookup.Found.class);
    assertThat(capped(body, Integer.MAX_VALUE, body.length - 1))
        .isEqualTo(new Lookup.TooLarge(Excess.UPSTREAM_BYTES, false));
  }

  @Test
  void L12_past_the_cap_the_body_is_abandoned_and_nothing_of_it_is_kept() {
    byte[] body = Shapes.plain().active(7, GRAPH).getBytes(StandardCharsets.UTF_8);
    JobInfoSlicer slicer = new JobInfoSlicer(200);
    assertThat(slicer.feed(Arrays.copyOf(body, 200))).as("at the cap").isTrue();
    assertThat(slicer.feed(new byte[] {body[200]})).as("one over").isFalse();
    assertThat(slicer.feed(new byte[] {' '})).as("and for good").isFalse();
    assertThat(slicer.slice()).isNull();
    assertThat(slicer.complete()).isFalse();
    assertThat(slicer.excess()).isEqualTo(Excess.UPSTREAM_BYTES);
  }

  @Test
  void L12_a_body_past_the_cap_is_too_large_although_it_was_broken_before() {
    byte[] body = "{]".repeat(100).getBytes(StandardCharsets.UTF_8);
    assertThat(capped(body, Integer.MAX_VALUE, 100))
        .isEqualTo(new Lookup.TooLarge(Excess.UPSTREAM_BYTES, false));
  }

  private static Lookup capped(byte[] body, int chunk, int cap) {
    return new JobInfoParser(GraphLimits.DEFAULT).parse(Reading.sliced(body, chunk, cap), 7);
  }

  private static String inGraph(String value) {
    return GRAPH.replaceFirst("\\{", "{\"other\":" + value + ",");
  }

  private static Lookup withMetrics(String value) {
    return Reading.read(
        Shapes.plain().active(7, GRAPH).replaceFirst("\\{", "{\"other\":" + value + ","));
  }

  private static Lookup read(String dag) {
    return read(dag, GraphLimits.DEFAULT);
  }

  private static Lookup read(String dag, GraphLimits limits) {
    byte[] body = Shapes.plain().active(7, dag).getBytes(StandardCharsets.UTF_8);
    return Reading.read(body, 7, Integer.MAX_VALUE, limits);
  }
}
