package io.headgate.upstream.zeta;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.graph.Excess;
import io.headgate.graph.Execution;
import io.headgate.graph.Inconsistency;
import io.headgate.graph.Lookup;
import io.headgate.graph.NodeKind;
import io.headgate.graph.ReportedGraph;
import io.headgate.graph.ReportedGraph.Node;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What stands around the graph: the job's id, status and times, and whether it is an answer at all
 * (L21, L22, L28). Single quotes stand for double ones; DAG is a consistent graph of job 7.
 */
class JobStateTest {
  private static final String DAG =
      Shapes.plain().a(ReportedGraph.empty().with(new Node(1, NodeKind.SINK, "n", List.of("a.b"))));

  @ParameterizedTest
  @ValueSource(strings = {"{}", " {\n}\t", "{'jobId':'7'}", "{'jobId':7}", "{'jobId':null}"})
  void L28_an_object_with_nothing_but_the_job_s_id_says_that_the_job_is_unknown(String body) {
    assertThat(read(body)).isEqualTo(new Lookup.NotFound());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "null",
        "[]",
        "'x'",
        "7",
        "true",
        "{'jobId':'8'}",
        "{'jobId':'07'}",
        "{'jobId':'+7'}",
        "{'jobId':'-7'}",
        "{'jobId':7.0}",
        "{'jobId':[7]}",
        "{'jobId':{}}",
        "{'jobId':true}",
        "{'status':'fail','message':'boom'}",
        "{'jobId':'7','jobName':'x'}",
        "{'jobId':'7','jobStatus':null}",
        "{'jobId':'7','createTime':'2026-11-30 09:41:54'}",
        "{}{}",
        "{},",
        "{}x",
        "<html></html>",
      })
  void L21_any_other_body_is_unavailable(String body) {
    assertThat(read(body)).isEqualTo(Reading.UNREADABLE);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'jobStatus':'RUNNING','createTime':'t','jobDag':DAG}              | OTHER_JOB",
        "{'jobId':null,'jobStatus':'RUNNING','createTime':'t','jobDag':DAG} | OTHER_JOB",
        "{'jobId':'8','jobStatus':'RUNNING','createTime':'t','jobDag':DAG}  | OTHER_JOB",
        "{'jobId':'07','jobStatus':'RUNNING','createTime':'t','jobDag':DAG} | OTHER_JOB",
        "{'jobId':' 7','jobStatus':'RUNNING','createTime':'t','jobDag':DAG} | OTHER_JOB",
        "{'jobId':7e0,'jobStatus':'RUNNING','createTime':'t','jobDag':DAG}  | OTHER_JOB",
        "{'jobId':[7],'jobStatus':'RUNNING','createTime':'t','jobDag':DAG}  | OTHER_JOB",
        "{'jobId':'7','jobStatus':'RUNNING','jobDag':DAG}                   | NO_EXECUTION",
        "{'jobId':'7','jobStatus':'RUNNING','createTime':null,'jobDag':DAG} | NO_EXECUTION",
        "{'jobId':'7','jobStatus':'RUNNING','createTime':'','jobDag':DAG}   | NO_EXECUTION",
        "{'jobId':'7','jobStatus':'RUNNING','createTime':{},'jobDag':DAG}   | NO_EXECUTION",
        "{'jobId':'7','jobStatus':'RUNNING','createTime':['t'],'jobDag':DAG} | NO_EXECUTION",
        "{'jobId':'7','jobStatus':'RUNNING','createTime':'t','jobDag':null} | MISSING_GRAPH",
        "{'jobId':'7','jobStatus':'RUNNING','createTime':'t'}               | MISSING_GRAPH",
      })
  void L10_L22_a_known_job_whose_state_can_not_be_told_is_inconsistent(
      String body, Inconsistency reason) {
    assertThat(read(body)).isEqualTo(new Lookup.Inconsistent(reason, false));
  }

  @Test
  void L22a_a_creation_time_that_is_far_too_long_names_no_execution() {
    String body = "{'jobId':'7','jobStatus':'R','createTime':'%s','jobDag':DAG}";
    assertThat(read(body.formatted("t".repeat(126)))).isInstanceOf(Lookup.Found.class);
    assertThat(read(body.formatted("t".repeat(127))))
        .isEqualTo(new Lookup.Inconsistent(Inconsistency.NO_EXECUTION, false));
  }

  @Test
  void L22a_the_execution_is_named_by_the_creation_time() {
    assertThat(execution("2026-11-30 09:41:54"))
        .isEqualTo(Execution.ofLocalTime("2026-11-30 09:41:54"))
        .extracting(Execution::millis)
        .isEqualTo(1_796_031_714_000L);
    assertThat(execution("yesterday"))
        .isEqualTo(Execution.ofLocalTime("yesterday"))
        .extracting(Execution::millis)
        .isEqualTo(Execution.UNORDERED);
  }

  @ParameterizedTest(name = "{0}: retained {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'jobStatus':'RUNNING'                                        | false",
        "'jobStatus':'FINISHED'                                       | false",
        "'jobStatus':'SAVEPOINT_DONE'                                 | false",
        "'jobStatus':'FINISHED','finishTime':null                     | false",
        "'jobStatus':'FINISHED','finishTime':'2026-11-30 09:41:54'    | true",
        "'jobStatus':'RUNNING','finishTime':'2026-11-30 09:41:54'     | true",
      })
  void L22_L28_a_record_is_retained_where_it_has_a_finish_time_whatever_its_status(
      String members, boolean retained) {
    Lookup lookup =
        read("{'jobId':'7','createTime':'2026-11-30 09:41:54','jobDag':DAG," + members + "}");
    assertThat(((Lookup.Found) lookup).retained()).isEqualTo(retained);
  }

  @ParameterizedTest(name = "retained {0}")
  @ValueSource(booleans = {false, true})
  void L22_a_record_without_a_usable_graph_says_whether_it_is_retained(boolean retained) {
    String body =
        "{'jobId':'%s','jobStatus':'FINISHED','createTime':'t','finishTime':"
            + (retained ? "'t'" : "null")
            + ",'jobDag':%s}";
    assertThat(read(body.formatted(7, "null")))
        .isEqualTo(new Lookup.Inconsistent(Inconsistency.MISSING_GRAPH, retained));
    assertThat(read(body.formatted(8, "DAG")))
        .isEqualTo(new Lookup.Inconsistent(Inconsistency.OTHER_JOB, retained));
    assertThat(read(body.formatted(7, "{'jobId':7}")))
        .isEqualTo(new Lookup.Inconsistent(Inconsistency.MISSING_NODES, retained));
    String longName = DAG.replace("\"n\"", "\"" + "n".repeat(4_097) + "\"");
    assertThat(read(body.formatted(7, longName)))
        .isEqualTo(new Lookup.TooLarge(Excess.STRING_BYTES, retained));
  }

  @Test
  void L22_a_body_that_is_abandoned_is_retained_if_its_finish_time_has_been_read() {
    String bomb = "'metrics':" + "[".repeat(65);
    assertThat(read("{'finishTime':'t'," + bomb))
        .isEqualTo(new Lookup.TooLarge(Excess.PARSER_BOUND, true));
    assertThat(read("{" + bomb + ",'finishTime':'t'}"))
        .isEqualTo(new Lookup.TooLarge(Excess.PARSER_BOUND, false));
  }

  @ParameterizedTest
  @ValueSource(strings = {"jobId", "jobStatus", "createTime", "finishTime", "jobDag"})
  void L21_a_member_that_matters_twice_makes_the_body_unreadable(String member) {
    String body =
        "{'jobId':'7','jobStatus':'R','createTime':'t','finishTime':'t','jobDag':DAG,'%s':null}";
    assertThat(read(body.formatted("other"))).isInstanceOf(Lookup.Found.class);
    assertThat(read(body.formatted(member))).isEqualTo(Reading.UNREADABLE);
  }

  @Test
  void L21_other_members_may_come_twice() {
    assertThat(
            read("{'a':1,'a':2,'jobId':'7','jobStatus':'R','createTime':'t','jobDag':DAG,'a':[3]}"))
        .isInstanceOf(Lookup.Found.class);
  }

  @Test
  void the_members_that_matter_are_only_looked_for_in_the_outermost_object() {
    String decoy = "{'jobId':'8','jobStatus':'X','createTime':'x','finishTime':'x','jobDag':{}}";
    Lookup lookup =
        read(
            "{'envOptions':"
                + decoy
                + ",'jobId':'7','jobStatus':'R','createTime':'t','jobDag':DAG,"
                + "'metrics':["
                + decoy
                + "]}");
    assertThat(((Lookup.Found) lookup).retained()).isFalse();
    assertThat(((Lookup.Found) lookup).execution().created()).isEqualTo("t");
  }

  @Test
  void names_that_only_look_like_those_that_matter_are_passed_over() {
    String others =
        "'jobDags':1,'jobDa':2,'jobdag':3,'xjobDag':4,'':5,'jobDag\\u0000':6,'\\u006aobDag':7,"
            + "'jobDagjobDagjobDagjobDag':8,";
    assertThat(read("{" + others + "'jobId':'7','jobStatus':'R','createTime':'t','jobDag':DAG}"))
        .isInstanceOf(Lookup.Found.class);
  }

  private static Execution execution(String created) {
    return ((Lookup.Found)
            read("{'jobId':'7','jobStatus':'R','createTime':'" + created + "','jobDag':DAG}"))
        .execution();
  }

  private static Lookup read(String body) {
    return Reading.read(body.replace('\'', '"').replace("DAG", DAG));
  }
}
