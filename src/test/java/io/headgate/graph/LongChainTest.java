package io.headgate.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Long chains on a small stack (E-B7, E-B8): nothing in the core may recurse over a graph. */
class LongChainTest {
  private static final long STACK_BYTES = 256 * 1024;

  @ParameterizedTest
  @ValueSource(ints = {10_000, 100_000})
  void L10_a_long_chain_is_checked_written_and_renumbered_on_a_small_stack(int length)
      throws Exception {
    String json =
        onSmallStack(
            () -> {
              JobGraph graph = ReportedGraph.chain(length).checked();
              NameForm form = NameForm.of(graph);
              assertThat(form).as("names are unique, so there is a name form").isNotNull();
              long[] ids = form.idsInNameOrder(graph);
              for (int i = 0; i < ids.length; i++) {
                ids[i] = -ids[i];
              }
              return ReportedGraph.json(form.renumber(graph, ids));
            });
    assertThat(json)
        .contains("\"sourceNodeId\":\"-" + (length - 1) + "\",\"targetNodeId\":\"-" + length + "\"")
        .startsWith("{\"schemaVersion\":1,\"jobId\":\"7\"")
        .contains("\"nodes\":[{\"id\":\"-" + length + "\",\"kind\":\"SINK\"");
  }

  @ParameterizedTest
  @ValueSource(ints = {10_000, 100_000})
  void L10_a_cycle_at_the_end_of_a_long_chain_is_found_on_a_small_stack(int length)
      throws Exception {
    ReportedGraph chain = ReportedGraph.chain(length);
    ReportedGraph report = chain.withEdge(1, length, length - 1L);
    JobGraphBuilder.Built built = onSmallStack(report::build);
    assertThat(built).isEqualTo(new JobGraphBuilder.Built.Inconsistent(Inconsistency.CYCLE));
  }

  @ParameterizedTest
  @ValueSource(ints = {10_000, 100_000})
  void L10_a_chain_bitten_by_its_own_end_is_found_on_a_small_stack(int length) throws Exception {
    ReportedGraph report = ReportedGraph.chain(length).withEdge(2, length, 1);
    JobGraphBuilder.Built built = onSmallStack(report::build);
    assertThat(built).isEqualTo(new JobGraphBuilder.Built.Inconsistent(Inconsistency.CYCLE));
  }

  private static <T> T onSmallStack(Callable<T> work) throws Exception {
    FutureTask<T> task = new FutureTask<>(work);
    Thread thread = new Thread(null, task, "small stack", STACK_BYTES);
    thread.start();
    try {
      return task.get(60, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new AssertionError("failed on a stack of " + STACK_BYTES + " bytes", e.getCause());
    }
  }
}
