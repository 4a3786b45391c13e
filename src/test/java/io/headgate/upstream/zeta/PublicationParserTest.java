package io.headgate.upstream.zeta;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.directory.Publication;
import io.headgate.graph.Excess;
import io.headgate.graph.GraphCodec;
import io.headgate.graph.GraphLimits;
import io.headgate.graph.GraphWriter;
import io.headgate.graph.Inconsistency;
import io.headgate.graph.JobGraphBuilder;
import io.headgate.graph.JobStatus;
import io.headgate.graph.ReportedGraph;
import io.headgate.kit.JobInfo;
import io.headgate.kit.PublicationBody;
import io.headgate.upstream.zeta.PublicationParser.Parsed;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies that publish, well and badly formed. */
class PublicationParserTest {
  private static final Parsed MALFORMED = new Parsed.Malformed();
  private static final String TIME = "2026-11-30T09:41:54Z";

  private static Parsed parse(String body, GraphLimits limits) {
    return new PublicationParser(limits).parse(body.getBytes(StandardCharsets.UTF_8), 7);
  }

  private static Parsed parse(String body) {
    return parse(body, GraphLimits.DEFAULT);
  }

  private static Publication accepted(String body) {
    Parsed parsed = parse(body);
    assertThat(parsed).isInstanceOf(Parsed.Accepted.class);
    return ((Parsed.Accepted) parsed).publication();
  }

  private static Parsed graph(String dag) {
    return parse(PublicationBody.of(7).graph(dag).json());
  }

  @Test
  void a_body_gives_what_it_says_and_its_graph_the_same_answer_as_the_engine_s() {
    Publication said = accepted(PublicationBody.of(7).epoch(9).json());
    assertThat(said.jobId()).isEqualTo(7);
    assertThat(said.epoch()).isEqualTo(9);
    assertThat(said.status()).isEqualTo(JobStatus.RUNNING);
    assertThat(said.createdAt()).isEqualTo(Instant.parse(TIME));
    assertThat(lineage(said)).isEqualTo(JobInfo.of(7).lineage());
    assertThat(accepted(PublicationBody.of(7).withoutGraph().json()).graph()).isNull();
  }

  private static String lineage(Publication said) {
    var built = GraphCodec.decode(Objects.requireNonNull(said.graph()), GraphLimits.DEFAULT);
    var body = GraphWriter.write(((JobGraphBuilder.Built.Checked) built).graph(), 1 << 20);
    return new String(body.toByteArray(), StandardCharsets.UTF_8);
  }

  @Test
  void members_come_in_any_order_with_any_white_space_and_escapes() {
    String dag = PublicationBody.of(7).graph();
    Publication said =
        accepted(
            (" {\n\"graph\" : %s,\t\"createdAt\":\"%s\",\"\\u0065poch\":3 ,\r\n"
                    + "\"status\":\"\\u0052UNNING\"} ")
                .formatted(dag, TIME));
    assertThat(said.epoch()).isEqualTo(3);
    assertThat(lineage(said)).isEqualTo(JobInfo.of(7).lineage());
  }

  @ParameterizedTest
  @EnumSource(JobStatus.class)
  void every_state_may_be_published(JobStatus status) {
    String body = PublicationBody.of(7).status(status.name()).json();
    assertThat(accepted(body).status()).isEqualTo(status);
  }

  @ParameterizedTest
  @ValueSource(strings = {"running", "RUNNING ", "", "STARTED", "null"})
  void no_other_state_may(String status) {
    assertThat(parse(PublicationBody.of(7).status(status).json())).isEqualTo(MALFORMED);
  }

  @ParameterizedTest
  @CsvSource({"1", "9223372036854775807"})
  void an_epoch_is_a_positive_64_bit_integer(long epoch) {
    assertThat(accepted(PublicationBody.of(7).epoch(epoch).json()).epoch()).isEqualTo(epoch);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-1",
        "9223372036854775808",
        "1.0",
        "1e3",
        "01",
        "\"1\"",
        "null",
        "true",
        "[1]",
        "{}"
      })
  void anything_else_is_no_epoch(String epoch) {
    String body = "{\"epoch\":" + epoch + ",\"status\":\"RUNNING\",\"createdAt\":\"" + TIME + "\"}";
    assertThat(parse(body)).isEqualTo(MALFORMED);
  }

  @ParameterizedTest
  @CsvSource({
    "2026-11-30T09:41:54Z, 2026-11-30T09:41:54Z",
    "2026-11-30T09:41:54.123456Z, 2026-11-30T09:41:54.123Z",
    "2026-11-30T11:41:54+02:00, 2026-11-30T09:41:54Z",
    "1969-12-31T23:59:59Z, 1969-12-31T23:59:59Z",
    "9999-12-31T23:59:59Z, 9999-12-31T23:59:59Z"
  })
  void an_instant_is_kept_to_the_millisecond(String text, Instant instant) {
    String body = "{\"epoch\":1,\"status\":\"RUNNING\",\"createdAt\":\"" + text + "\"}";
    assertThat(accepted(body).createdAt()).isEqualTo(instant);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"2026-11-30 09:41:54\"",
        "\"2026-11-30T09:41:54\"",
        "\"2026-11-30\"",
        "\"2026-02-30T09:41:54Z\"",
        "\"+10000-01-01T00:00:00Z\"",
        "\"-0001-01-01T00:00:00Z\"",
        "\"+1000000000-12-31T23:59:59Z\"",
        "\"\"",
        "1764495714000",
        "null"
      })
  void anything_else_is_no_instant(String text) {
    String body = "{\"epoch\":1,\"status\":\"RUNNING\",\"createdAt\":" + text + "}";
    assertThat(parse(body)).isEqualTo(MALFORMED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ",\"epoch\":1",
        ",\"status\":\"RUNNING\"",
        ",\"createdAt\":\"" + TIME + "\"",
        ",\"graph\":{}",
        ",\"\\u0065poch\":1",
        ",\"jobId\":7",
        ",\"Epoch\":1",
        ",\"\":1",
        ",\"epoch \":1",
        ","
      })
  void a_member_too_many_makes_the_whole_unreadable(String extra) {
    assertThat(parse(PublicationBody.of(7).extra(extra).json())).isEqualTo(MALFORMED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "[]", "\"{}\"", "7", "true"})
  void a_graph_that_is_there_is_an_object(String graph) {
    assertThat(graph(graph)).isEqualTo(MALFORMED);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | MISSING_NODES",
        "{'jobId':'7','pipelineEdges':{},'vertexInfoMap':[]} | NO_NODES",
        "{'jobId':'8','pipelineEdges':{},'vertexInfoMap':[]} | OTHER_JOB",
        "{'pipelineEdges':{},'vertexInfoMap':[{'vertexId':1,'type':'source','vertexName':'a'}]}"
            + " | OTHER_JOB",
        "{'jobId':'7','vertexInfoMap':null} | MISSING_NODES",
        "{'jobId':'7','vertices':[],'edges':[]} | LEGACY_SHAPE",
        "{'jobId':'7','pipelineEdges':{},'vertexInfoMap':[{'vertexId':1,'type':'x','vertexName':''}]}"
            + " | UNKNOWN_KIND",
        "{'jobId':'7','jobId':'7','pipelineEdges':{},"
            + "'vertexInfoMap':[{'vertexId':1,'type':'sink','vertexName':''}]} | DUPLICATE_MEMBER"
      })
  void L10_a_graph_is_checked_like_one_that_the_engine_reports(String dag, Inconsistency reason) {
    assertThat(graph(dag.replace('\'', '"'))).isEqualTo(new Parsed.Inconsistent(reason));
  }

  @Test
  void L10_text_that_is_not_unicode_is_a_fault_of_the_graph_it_stands_in() {
    Parsed illFormed = new Parsed.Inconsistent(Inconsistency.ILL_FORMED_TEXT);
    String named = PublicationBody.of(JobInfo.of(7).name("N")).json();
    assertThat(parse(named.replace("N 1", "\\ud800"))).isEqualTo(illFormed);

    byte[] raw = named.getBytes(StandardCharsets.UTF_8);
    raw[named.indexOf("N 1")] = (byte) 0xFF;
    assertThat(new PublicationParser(GraphLimits.DEFAULT).parse(raw, 7)).isEqualTo(illFormed);

    for (String place : new String[] {"epoch", "RUNNING", "2026", "graph"}) {
      byte[] outside = named.getBytes(StandardCharsets.UTF_8);
      outside[named.indexOf(place)] = (byte) 0xFF;
      assertThat(new PublicationParser(GraphLimits.DEFAULT).parse(outside, 7))
          .as("ill-formed in " + place)
          .isEqualTo(MALFORMED);
    }
  }

  @Test
  void L12_each_limit_holds_at_it_and_one_over_is_too_large() {
    String body = PublicationBody.of(JobInfo.of(7).name("stage")).json();
    int bytes = JobInfo.of(7).lineage().length();
    GraphLimits at = new GraphLimits(3, 2, 2, 7, bytes);
    assertThat(parse(body, at)).isInstanceOf(Parsed.Accepted.class);
    assertThat(parse(body, new GraphLimits(2, 2, 2, 7, bytes))).isEqualTo(over(Excess.NODES));
    assertThat(parse(body, new GraphLimits(3, 1, 2, 7, bytes))).isEqualTo(over(Excess.EDGES));
    assertThat(parse(body, new GraphLimits(3, 2, 1, 7, bytes))).isEqualTo(over(Excess.PATHS));
    assertThat(parse(body, new GraphLimits(3, 2, 2, 6, bytes)))
        .isEqualTo(over(Excess.STRING_BYTES));
    assertThat(parse(body, new GraphLimits(3, 2, 2, 7, bytes - 1)))
        .isEqualTo(over(Excess.RESPONSE_BYTES));
  }

  private static Parsed over(Excess reason) {
    return new Parsed.TooLarge(reason);
  }

  @Test
  void L14_a_body_of_64_levels_is_read_and_65_are_too_large() {
    String dag = Shapes.plain().a(ReportedGraph.chain(3)).replaceFirst("\\{", "{\"other\":%s,");
    assertThat(graph(dag.formatted("[".repeat(62) + "]".repeat(62))))
        .isInstanceOf(Parsed.Accepted.class);
    assertThat(graph(dag.formatted("[".repeat(63) + "]".repeat(63))))
        .isEqualTo(over(Excess.PARSER_BOUND));
  }
}
