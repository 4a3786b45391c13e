package io.headgate.upstream.zeta;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.graph.Excess;
import io.headgate.graph.GraphLimits;
import io.headgate.graph.Inconsistency;
import io.headgate.graph.Lookup;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Graphs as JSON can spell them wrong (L10). Single quotes stand for double ones, to keep the
 * tables readable.
 */
class ForeignGraphTest {
  private static final String NODE_1 =
      "{'vertexId':1,'type':'source','vertexName':'a','tablePaths':['x.y']}";
  private static final String NODE_2 = "{'vertexId':2,'type':'sink','vertexName':'b'}";
  private static final String NODES = "[" + NODE_1 + "," + NODE_2 + "]";
  private static final String EDGES = "{'1':[{'inputVertexId':'1','targetVertexId':'2'}]}";

  @Test
  void the_graph_that_the_tables_below_spoil_is_consistent() {
    assertThat(Reading.json(read(dag(NODES, EDGES))))
        .contains("\"edges\":[{\"pipelineId\":1,\"sourceNodeId\":\"1\",\"targetNodeId\":\"2\"}]");
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "null                  | MISSING_GRAPH",
        "'null'                | MISSING_GRAPH",
        "[]                    | UNREADABLE_GRAPH",
        "1                     | UNREADABLE_GRAPH",
        "true                  | UNREADABLE_GRAPH",
        "''                    | UNREADABLE_GRAPH",
        "' null'               | UNREADABLE_GRAPH",
        "'nullx'               | UNREADABLE_GRAPH",
        "'[]'                  | UNREADABLE_GRAPH",
        "'{'                   | UNREADABLE_GRAPH",
        "'{} {}'               | UNREADABLE_GRAPH",
        "'{},'                 | UNREADABLE_GRAPH",
        "'{a:1}'               | UNREADABLE_GRAPH",
        "'oops'                | UNREADABLE_GRAPH",
        "{}                    | MISSING_NODES",
        "'{}'                  | MISSING_NODES",
      })
  void L10_what_stands_where_the_graph_should(String dag, Inconsistency reason) {
    assertInconsistent(dag, reason);
  }

  @Test
  void L10_a_job_without_a_graph_member_has_no_graph() {
    assertThat(read7("{'jobId':'7','jobStatus':'RUNNING','createTime':'2026-11-30 09:41:54'}"))
        .isEqualTo(new Lookup.Inconsistent(Inconsistency.MISSING_GRAPH, false));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "null     | MISSING_NODES",
        "1        | MISSING_NODES",
        "'[]'     | MISSING_NODES",
        "[]       | NO_NODES",
        "{}       | NO_NODES",
        "[null]   | MALFORMED_NODE",
        "[1]      | MALFORMED_NODE",
        "[[]]     | MALFORMED_NODE",
        "['a']    | MALFORMED_NODE",
        "{'1':null} | MALFORMED_NODE",
        "{'1':[{}]} | MALFORMED_NODE",
      })
  void L10_the_collection_of_vertices(String nodes, Inconsistency reason) {
    assertInconsistent(dag(nodes, "{}"), reason);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "null                                           | MISSING_EDGES",
        "1                                              | MISSING_EDGES",
        "[]                                             | MISSING_EDGES",
        "'{}'                                           | MISSING_EDGES",
        "{'1':null}                                     | MALFORMED_PIPELINE",
        "{'1':{}}                                       | MALFORMED_PIPELINE",
        "{'1':1}                                        | MALFORMED_PIPELINE",
        "{'':[]}                                        | MALFORMED_PIPELINE",
        "{'x':[]}                                       | MALFORMED_PIPELINE",
        "{'01':[]}                                      | MALFORMED_PIPELINE",
        "{'+1':[]}                                      | MALFORMED_PIPELINE",
        "{' 1':[]}                                      | MALFORMED_PIPELINE",
        "{'1.0':[]}                                     | MALFORMED_PIPELINE",
        "{'-0':[]}                                      | MALFORMED_PIPELINE",
        "{'2147483648':[]}                              | MALFORMED_PIPELINE",
        "{'-2147483649':[]}                             | MALFORMED_PIPELINE",
        "{'4294967297':[]}                              | MALFORMED_PIPELINE",
        "{'1':[],'1':[]}                                | DUPLICATE_MEMBER",
        "{'1':[],'2':[],'1':[]}                         | DUPLICATE_MEMBER",
        "{'1':[null]}                                   | MALFORMED_EDGE",
        "{'1':[1]}                                      | MALFORMED_EDGE",
        "{'1':[[]]}                                     | MALFORMED_EDGE",
        "{'1':[{}]}                                     | MALFORMED_EDGE",
        "{'1':[{'inputVertexId':1}]}                    | MALFORMED_EDGE",
        "{'1':[{'targetVertexId':1}]}                   | MALFORMED_EDGE",
        "{'1':[{'inputVertexId':null,'targetVertexId':2}]}       | MALFORMED_EDGE",
        "{'1':[{'inputVertexId':1,'targetVertexId':null}]}       | MALFORMED_EDGE",
        "{'1':[{'inputVertexId':'','targetVertexId':2}]}         | MALFORMED_EDGE",
        "{'1':[{'inputVertexId':1.0,'targetVertexId':2}]}        | MALFORMED_EDGE",
        "{'1':[{'inputVertexId':[1],'targetVertexId':2}]}        | MALFORMED_EDGE",
        "{'1':[{'inputVertexId':'01','targetVertexId':2}]}       | MALFORMED_EDGE",
        "{'1':[{'inputVertexId':1,'targetVertexId':3}]}          | DANGLING_EDGE",
        "{'1':[{'inputVertexId':0,'targetVertexId':2}]}          | DANGLING_EDGE",
        "{'1':[{'inputVertexId':1,'targetVertexId':'1'}]}        | SELF_LOOP",
        "{'1':[{'inputVertexId':1,'inputVertexId':1,'targetVertexId':2}]}  | DUPLICATE_MEMBER",
        "{'1':[{'inputVertexId':1,'targetVertexId':2,'targetVertexId':2}]} | DUPLICATE_MEMBER",
        "{'1':[{'inputVertexId':1,'targetVertexId':2}],'2':[{'inputVertexId':2,'targetVertexId':1}]}"
            + " | CYCLE",
      })
  void L10_the_collection_of_edges(String edges, Inconsistency reason) {
    assertInconsistent(dag(NODES, edges), reason);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'type':'sink','vertexName':'b'                         | MALFORMED_ID",
        "'vertexId':null,'type':'sink','vertexName':'b'         | MALFORMED_ID",
        "'vertexId':'','type':'sink','vertexName':'b'           | MALFORMED_ID",
        "'vertexId':'x','type':'sink','vertexName':'b'          | MALFORMED_ID",
        "'vertexId':' 2','type':'sink','vertexName':'b'         | MALFORMED_ID",
        "'vertexId':'02','type':'sink','vertexName':'b'         | MALFORMED_ID",
        "'vertexId':'+2','type':'sink','vertexName':'b'         | MALFORMED_ID",
        "'vertexId':-0,'type':'sink','vertexName':'b'           | MALFORMED_ID",
        "'vertexId':2.0,'type':'sink','vertexName':'b'          | MALFORMED_ID",
        "'vertexId':2e0,'type':'sink','vertexName':'b'          | MALFORMED_ID",
        "'vertexId':9223372036854775808,'type':'sink','vertexName':'b'  | MALFORMED_ID",
        "'vertexId':-9223372036854775809,'type':'sink','vertexName':'b' | MALFORMED_ID",
        "'vertexId':'\u0662','type':'sink','vertexName':'b'     | MALFORMED_ID",
        "'vertexId':true,'type':'sink','vertexName':'b'         | MALFORMED_ID",
        "'vertexId':[2],'type':'sink','vertexName':'b'          | MALFORMED_ID",
        "'vertexId':{'a':2},'type':'sink','vertexName':'b'      | MALFORMED_ID",
        "'vertexId':2,'vertexName':'b'                          | UNKNOWN_KIND",
        "'vertexId':2,'type':null,'vertexName':'b'              | UNKNOWN_KIND",
        "'vertexId':2,'type':'','vertexName':'b'                | UNKNOWN_KIND",
        "'vertexId':2,'type':'Sink','vertexName':'b'            | UNKNOWN_KIND",
        "'vertexId':2,'type':'sink ','vertexName':'b'           | UNKNOWN_KIND",
        "'vertexId':2,'type':'lookup','vertexName':'b'          | UNKNOWN_KIND",
        "'vertexId':2,'type':1,'vertexName':'b'                 | UNKNOWN_KIND",
        "'vertexId':2,'type':['sink'],'vertexName':'b'          | UNKNOWN_KIND",
        "'vertexId':2,'type':'sink'                             | MISSING_NAME",
        "'vertexId':2,'type':'sink','vertexName':null           | MISSING_NAME",
        "'vertexId':2,'type':'sink','vertexName':1              | MISSING_NAME",
        "'vertexId':2,'type':'sink','vertexName':['b']          | MISSING_NAME",
        "'vertexId':2,'type':'sink','vertexName':{'b':1}        | MISSING_NAME",
        "'vertexId':2,'type':'sink','name':'b'                  | MISSING_NAME",
        "'vertexId':2,'type':'sink','vertexName':'b','tablePaths':'x'    | MALFORMED_PATH",
        "'vertexId':2,'type':'sink','vertexName':'b','tablePaths':{}     | MALFORMED_PATH",
        "'vertexId':2,'type':'sink','vertexName':'b','tablePaths':1      | MALFORMED_PATH",
        "'vertexId':2,'type':'sink','vertexName':'b','tablePaths':[1]    | MALFORMED_PATH",
        "'vertexId':2,'type':'sink','vertexName':'b','tablePaths':[['x']] | MALFORMED_PATH",
        "'vertexId':2,'type':'sink','vertexName':'b','tablePaths':[{}]   | MALFORMED_PATH",
        "'vertexId':2,'vertexId':2,'type':'sink','vertexName':'b'        | DUPLICATE_MEMBER",
        "'vertexId':2,'type':'sink','type':'sink','vertexName':'b'       | DUPLICATE_MEMBER",
        "'vertexId':2,'type':'sink','vertexName':'b','vertexName':'b'    | DUPLICATE_MEMBER",
        "'vertexId':2,'type':'sink','vertexName':'b','connectorType':'b' | DUPLICATE_MEMBER",
        "'vertexId':2,'type':'sink','vertexName':'b','tablePaths':[],'tablePaths':[]"
            + " | DUPLICATE_MEMBER",
        "'vertexId':1,'type':'sink','vertexName':'b'            | DUPLICATE_NODE",
        "'vertexId':'1','type':'sink','vertexName':'b'          | DUPLICATE_NODE",
      })
  void L10_a_vertex(String members, Inconsistency reason) {
    assertInconsistent(dag("[" + NODE_1 + ",{" + members + "}]", "{}"), reason);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'2':{'vertexId':1,'type':'SOURCE','connectorType':'a'}}     | KEY_MISMATCH",
        "{'01':{'vertexId':1,'type':'SOURCE','connectorType':'a'}}    | KEY_MISMATCH",
        "{'+1':{'vertexId':1,'type':'SOURCE','connectorType':'a'}}    | KEY_MISMATCH",
        "{' 1':{'vertexId':1,'type':'SOURCE','connectorType':'a'}}    | KEY_MISMATCH",
        "{'':{'vertexId':1,'type':'SOURCE','connectorType':'a'}}      | KEY_MISMATCH",
        "{'a':{'vertexId':1,'type':'SOURCE','connectorType':'a'}}     | KEY_MISMATCH",
        "{'1':{'vertexId':1,'type':'SOURCE','connectorType':'a'},"
            + "'2':{'vertexId':1,'type':'SOURCE','connectorType':'a'}} | KEY_MISMATCH",
        "{'1':{'vertexId':1,'type':'SOURCE','connectorType':'a'},"
            + "'1':{'vertexId':1,'type':'SOURCE','connectorType':'a'}} | DUPLICATE_NODE",
        "{'1':{'type':'SOURCE','connectorType':'a'}}                  | MALFORMED_ID",
      })
  void L10_a_vertex_in_a_map(String nodes, Inconsistency reason) {
    assertInconsistent(dag(nodes, "{}"), reason);
    assertInconsistent(
        '"' + json(dag(nodes, "{}")).replace("\\", "\\\\").replace("\"", "\\\"") + '"', reason);
  }

  @Test
  void L10_a_key_spelled_in_escapes_is_the_key_it_spells() {
    String id = "-9223372036854775808";
    StringBuilder escapes = new StringBuilder();
    id.chars().forEach(c -> escapes.append(String.format("\\u%04x", c)));
    String node = "{'%s':{'vertexId':" + id + ",'type':'SOURCE','connectorType':'a'}}";
    assertThat(read(dag(node.formatted(escapes), "{}"))).isInstanceOf(Lookup.Found.class);
    for (String more : List.of("0", "x", "\\u0030", "\\n", "\u00e4", "y".repeat(100_000))) {
      assertInconsistent(dag(node.formatted(escapes + more), "{}"), Inconsistency.KEY_MISMATCH);
    }
  }

  @Test
  void L10_names_and_ids_spelled_in_escapes_are_what_they_spell() {
    String dag = dag(NODES, EDGES);
    String spelled =
        dag.replace("'type'", "'\\u0074yp\\u0065'")
            .replace("'inputVertexId':'1'", "'inputVertexId':'\\u0031'")
            .replace("'source'", "'s\\u006Furce'");
    assertThat(Reading.json(read(spelled))).isEqualTo(Reading.json(read(dag)));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'8'   | OTHER_JOB",
        "8     | OTHER_JOB",
        "'07'  | OTHER_JOB",
        "null  | OTHER_JOB",
        "''    | OTHER_JOB",
        "7.0   | OTHER_JOB",
        "[7]   | OTHER_JOB",
      })
  void L10_the_id_in_the_graph(String id, Inconsistency reason) {
    assertInconsistent(
        "{'jobId':" + id + ",'pipelineEdges':" + EDGES + ",'vertexInfoMap':" + NODES + "}", reason);
  }

  @ParameterizedTest
  @ValueSource(strings = {"'7'", "7"})
  void L10_the_id_in_the_graph_may_be_a_number_or_a_string(String id) {
    assertThat(
            read(
                "{'jobId':" + id + ",'pipelineEdges':" + EDGES + ",'vertexInfoMap':" + NODES + "}"))
        .isInstanceOf(Lookup.Found.class);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'pipelineEdges':{},'vertexInfoMap':NODES                     | OTHER_JOB",
        "'jobId':7,'pipelineEdges':{}                                 | MISSING_NODES",
        "'jobId':7,'vertexInfoMap':NODES                              | MISSING_EDGES",
        "'jobId':7                                                    | MISSING_NODES",
        "'jobId':7,'jobId':7,'pipelineEdges':{},'vertexInfoMap':NODES | DUPLICATE_MEMBER",
        "'jobId':7,'pipelineEdges':{},'pipelineEdges':{},'vertexInfoMap':NODES | DUPLICATE_MEMBER",
        "'jobId':7,'pipelineEdges':{},'vertexInfoMap':[],'vertexInfoMap':NODES | DUPLICATE_MEMBER",
      })
  void L10_the_members_of_the_graph(String members, Inconsistency reason) {
    assertInconsistent("{" + members.replace("NODES", NODES) + "}", reason);
  }

  @Test
  void L10_the_first_fault_is_the_reason() {
    assertInconsistent(dag("[" + NODE_1 + ",null]", "{'1':[null]}"), Inconsistency.MALFORMED_EDGE);
    assertInconsistent(
        "{'jobId':7,'vertexInfoMap':[null],'pipelineEdges':{'1':[null]}}",
        Inconsistency.MALFORMED_NODE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'jobId':7,'pipelineEdges':{},'vertexInfoMap':NODES}",
        "{'jobId':7,'pipelineEdges':{'1':[]},'vertexInfoMap':NODES}",
        "{'vertexInfoMap':NODES,'pipelineEdges':{'-1':[],'0':[]},'jobId':'7'}",
        "{'jobId':7,'pipelineEdges':{'2147483647':[]},'vertexInfoMap':NODES,'new':{'a':[1]}}",
      })
  void L11_pipelines_without_edges_members_in_any_order_and_unknown_members_are_valid(String dag) {
    assertThat(read(dag.replace("NODES", NODES))).isInstanceOf(Lookup.Found.class);
  }

  @Test
  void L3_ids_of_any_sign_are_read_from_numbers_and_strings() {
    String nodes =
        "[{'vertexId':-9223372036854775808,'type':'source','vertexName':'a'},"
            + "{'vertexId':'9223372036854775807','type':'sink','vertexName':'b'}]";
    String edges =
        "{'-2147483648':[{'inputVertexId':'-9223372036854775808',"
            + "'targetVertexId':9223372036854775807}]}";
    assertThat(Reading.json(read(dag(nodes, edges))))
        .contains(
            json(
                "{'pipelineId':-2147483648,'sourceNodeId':'-9223372036854775808',"
                    + "'targetNodeId':'9223372036854775807'}"));
  }

  @Test
  void L12_a_count_after_a_fault_is_still_too_large() {
    GraphLimits limits = new GraphLimits(2, 1, 1, 4, 1 << 20);
    String bad = "{'vertexId':null}";
    assertThat(read(dag("[" + bad + "," + bad + "]", "{}"), limits))
        .isEqualTo(new Lookup.Inconsistent(Inconsistency.MISSING_NAME, false));
    assertThat(read(dag("[" + bad + "," + bad + ",null]", "{}"), limits))
        .isEqualTo(new Lookup.TooLarge(Excess.NODES, false));
    assertThat(read(dag("[" + bad + "]", "{'1':[null],'x':[1]}"), limits))
        .isEqualTo(new Lookup.TooLarge(Excess.EDGES, false));
    assertThat(read(dag("[null,{'tablePaths':[1,{}]}]", "{}"), limits))
        .isEqualTo(new Lookup.TooLarge(Excess.PATHS, false));
    assertThat(read(dag("[null,{'vertexName':'12345'}]", "{}"), limits))
        .isEqualTo(new Lookup.TooLarge(Excess.STRING_BYTES, false));
  }

  @Test
  void L12_another_job_s_id_goes_before_a_limit_wherever_it_stands() {
    GraphLimits limits = new GraphLimits(1, 1, 1, 4, 1 << 20);
    String tooMany = "'pipelineEdges':" + EDGES + ",'vertexInfoMap':" + NODES;
    assertThat(read("{'jobId':7," + tooMany + "}", limits))
        .isEqualTo(new Lookup.TooLarge(Excess.NODES, false));
    assertThat(read("{'jobId':8," + tooMany + "}", limits))
        .isEqualTo(new Lookup.Inconsistent(Inconsistency.OTHER_JOB, false));
    assertThat(read("{" + tooMany + ",'jobId':8}", limits))
        .isEqualTo(new Lookup.Inconsistent(Inconsistency.OTHER_JOB, false));
  }

  @Test
  void L12_text_that_breaks_off_after_a_limit_is_an_unreadable_shape() {
    GraphLimits limits = new GraphLimits(1, 1, 1, 4, 1 << 20);
    String dag = json(dag(NODES, EDGES));
    String broken = dag.substring(0, dag.length() - 1).replace("\"", "\\\"");
    assertThat(read('"' + broken + '"', limits))
        .isEqualTo(new Lookup.Inconsistent(Inconsistency.UNREADABLE_GRAPH, false));
  }

  private static void assertInconsistent(String dag, Inconsistency reason) {
    assertThat(read(dag)).as(dag).isEqualTo(new Lookup.Inconsistent(reason, false));
  }

  private static String dag(String nodes, String edges) {
    return "{'jobId':'7','pipelineEdges':" + edges + ",'vertexInfoMap':" + nodes + "}";
  }

  private static Lookup read(String dag) {
    return read(dag, GraphLimits.DEFAULT);
  }

  private static Lookup read(String dag, GraphLimits limits) {
    String body = Shapes.plain().active(7, json(dag));
    return Reading.read(body.getBytes(StandardCharsets.UTF_8), 7, Integer.MAX_VALUE, limits);
  }

  private static Lookup read7(String body) {
    return Reading.read(json(body));
  }

  private static String json(String singleQuoted) {
    return singleQuoted.replace('\'', '"');
  }
}
