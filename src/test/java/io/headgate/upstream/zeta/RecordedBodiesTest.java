package io.headgate.upstream.zeta;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.headgate.graph.Execution;
import io.headgate.graph.GraphLimits;
import io.headgate.graph.Inconsistency;
import io.headgate.graph.Lookup;
import io.headgate.graph.ReferenceProjection;
import io.headgate.graph.ReportedGraph;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every recorded body of every engine, with what the rules say about it. */
class RecordedBodiesTest {
  private enum Says {
    /** A graph of an active execution. */
    ACTIVE,
    /** A graph of an ended execution. */
    RETAINED,
    /** The logical plan of L27. */
    LEGACY,
    /** The engine does not know the job (L28). */
    UNKNOWN,
    /** Nothing that a lookup could use (L21). */
    UNREADABLE
  }

  /** Which engine, which recordings, what they say, and by which rule; the first line that fits. */
  private record Rule(String engine, String names, Says says, String why) {
    boolean fits(Recording recording) {
      return recording.engine().matches(engine) && recording.name().matches(names);
    }
  }

  private static final List<Rule> RULES =
      List.of(
          // 2.3.4 has no job-info; its running-job knows active jobs only.
          new Rule("2.3.4", ".*job-info.*", Says.UNREADABLE, "L21: 204 or 400 without a body"),
          new Rule("2.3.4", "0[27]_.*", Says.LEGACY, "L27: active on an old engine"),
          new Rule("2.3.4", "03_.*", Says.UNKNOWN, "L28: {} for a job that has ended"),
          new Rule("2.3.4", "04_running-job_(negative|plus|unknown)", Says.UNKNOWN, "L28: {}"),
          // 2.3.8 gives the logical plan for active jobs and a graph in a string for ended ones.
          new Rule("2.3.8", "02_.*", Says.LEGACY, "L27: active"),
          new Rule("2.3.8", "03_.*", Says.RETAINED, "L26: shape S"),
          new Rule("2.3.8", "07_job-info_after_savepoint_branch", Says.RETAINED, "L26: shape S"),
          new Rule("2.3.8", "07_transition_branch_1", Says.LEGACY, "L27: DOING_SAVEPOINT"),
          new Rule("2.3.8", "07_transition_branch_2", Says.RETAINED, "L26: SAVEPOINT_DONE, ended"),
          new Rule("2.3.8", "08_.*", Says.LEGACY, "L22: resumed, so the active form wins"),
          new Rule("2.3.8", "50_.*", Says.LEGACY, "L27: active"),
          new Rule("2.3.[48]", "31_.*", Says.LEGACY, "L27: active"),
          new Rule("2.3.[48]", "04_.*_trailing_slash", Says.LEGACY, "L27: v1 takes the slash"),
          // 2.3.9 gives shape A for both.
          new Rule("2.3.9.*", "02_.*", Says.ACTIVE, "L26: shape A"),
          new Rule("2.3.9.*", "03_.*", Says.RETAINED, "L26: shape A, ended"),
          new Rule("2.3.9.*", "07_job-info_after_savepoint_branch", Says.RETAINED, "L26: ended"),
          new Rule("2.3.9.*", "07_transition_branch_1", Says.ACTIVE, "L26: DOING_SAVEPOINT"),
          new Rule("2.3.9.*v1", "07_transition_branch_2", Says.RETAINED, "L26: SAVEPOINT_DONE"),
          new Rule(
              "2.3.9.*v2",
              "07_transition_branch_2",
              Says.ACTIVE,
              "L28: the active form with a terminal status is still the active record"),
          new Rule("2.3.9.*", "08_.*", Says.ACTIVE, "L22: resumed, so the active form wins"),
          new Rule("2.3.9.*", "31_.*", Says.ACTIVE, "L26: shape A"),
          new Rule("2.3.9.*", "50_.*", Says.ACTIVE, "L26: shape A"),
          new Rule("2.3.9.*v1", "04_.*_trailing_slash", Says.ACTIVE, "L26: v1 takes the slash"),
          new Rule("2.3.9.*v2", "04_.*_query", Says.ACTIVE, "L26: v2 takes the query"),
          // Asked for what is no id. We never do; only the answer's shape matters here.
          new Rule(".*", "04_.*_unknown", Says.UNKNOWN, "L28: only the job's id"),
          new Rule("2.3.9.*v2", "04_.*_percent", Says.UNKNOWN, "L28: only the job's id, decoded"),
          new Rule(".*", "04_.*_(negative|plus)", Says.UNREADABLE, "L21: another id than asked"),
          new Rule(".*", "04_.*", Says.UNREADABLE, "L21: an error envelope or no body"));

  static List<Recording> recordings() {
    return Recording.ofOneJob();
  }

  @ParameterizedTest
  @MethodSource("recordings")
  void L26_to_L28_each_recorded_body_says_what_the_rules_say(Recording recording)
      throws IOException {
    Rule rule = rule(recording);
    for (int chunk : new int[] {1, 7, Integer.MAX_VALUE}) {
      Lookup lookup = Reading.read(recording.body(), recording.jobId(), chunk, GraphLimits.DEFAULT);
      switch (rule.says()) {
        case ACTIVE -> assertGraph(lookup, recording.body(), false);
        case RETAINED -> assertGraph(lookup, recording.body(), true);
        case LEGACY ->
            assertThat(lookup)
                .isEqualTo(new Lookup.Inconsistent(Inconsistency.LEGACY_SHAPE, false));
        case UNKNOWN -> assertThat(lookup).isEqualTo(new Lookup.NotFound());
        case UNREADABLE -> assertThat(lookup).isEqualTo(Reading.UNREADABLE);
        default -> throw new AssertionError(rule);
      }
    }
  }

  @Test
  void every_rule_of_this_table_is_met_by_a_recording() {
    List<Recording> recordings = recordings();
    assertThat(recordings).hasSizeGreaterThan(150);
    assertThat(RULES)
        .allSatisfy(
            rule ->
                assertThat(recordings.stream().map(RecordedBodiesTest::rule))
                    .as("rules that recordings meet")
                    .contains(rule));
  }

  @Test
  void only_bodies_with_status_200_say_anything() {
    assertThat(recordings())
        .filteredOn(recording -> recording.status() != 200)
        .isNotEmpty()
        .allSatisfy(
            recording ->
                assertThat(rule(recording).says())
                    .as("%s, status %d", recording, recording.status())
                    .isEqualTo(Says.UNREADABLE));
  }

  private static Rule rule(Recording recording) {
    return RULES.stream()
        .filter(rule -> rule.fits(recording))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no rule for " + recording));
  }

  static Stream<Element> finished() throws IOException {
    List<Element> elements = new ArrayList<>();
    for (Recording list : Recording.ofFinishedJobs()) {
      int index = 0;
      for (byte[] element : elements(list.body())) {
        elements.add(new Element(list + "[" + index++ + "]", element));
      }
    }
    return elements.stream();
  }

  /** One element of a recorded array. */
  record Element(String what, byte[] body) {
    @Override
    public String toString() {
      return what;
    }
  }

  @ParameterizedTest
  @MethodSource("finished")
  void L26_each_finished_job_in_shape_A_M_or_S_gives_its_graph(Element element) throws IOException {
    long jobId = Reading.tree(element.body()).get("jobId").asLong();
    for (int chunk : new int[] {1, 7, Integer.MAX_VALUE}) {
      assertGraph(
          Reading.read(element.body(), jobId, chunk, GraphLimits.DEFAULT), element.body(), true);
    }
  }

  @Test
  void L26_the_finished_jobs_cover_all_three_shapes() throws IOException {
    List<String> shapes = new ArrayList<>();
    for (Element element : finished().toList()) {
      var dag = Reading.tree(element.body()).get("jobDag");
      shapes.add(dag.isTextual() ? "S" : dag.get("vertexInfoMap").isArray() ? "A" : "M");
    }
    assertThat(shapes).contains("A", "M", "S");
  }

  @Test
  void L21_the_array_of_finished_jobs_itself_is_no_answer_for_one_job() {
    assertThat(Recording.ofFinishedJobs())
        .hasSizeGreaterThanOrEqualTo(12)
        .allSatisfy(
            list ->
                assertThat(Reading.read(list.body(), list.jobId())).isEqualTo(Reading.UNREADABLE));
  }

  private static void assertGraph(Lookup lookup, byte[] body, boolean retained) throws IOException {
    assertThat(lookup).isInstanceOf(Lookup.Found.class);
    Lookup.Found found = (Lookup.Found) lookup;
    assertThat(found.retained()).as("retained").isEqualTo(retained);
    assertThat(found.execution())
        .isEqualTo(Execution.ofLocalTime(Reading.tree(body).get("createTime").textValue()));
    ReportedGraph expected = Reading.throughTree(body);
    assertThat(expected.nodes()).as("nodes of the recording").isNotEmpty();
    assertThat(ReportedGraph.json(found.graph())).isEqualTo(ReferenceProjection.json(expected));
  }

  /** The elements of a JSON array, each as its own exact bytes. */
  private static List<byte[]> elements(byte[] array) throws IOException {
    List<byte[]> elements = new ArrayList<>();
    try (JsonParser json = new JsonFactory().createParser(array)) {
      assertThat(json.nextToken()).isEqualTo(JsonToken.START_ARRAY);
      while (json.nextToken() != JsonToken.END_ARRAY) {
        int from = (int) json.currentTokenLocation().getByteOffset();
        json.skipChildren();
        int to = (int) json.currentLocation().getByteOffset();
        elements.add(Arrays.copyOfRange(array, from, to));
      }
    }
    return elements;
  }
}
