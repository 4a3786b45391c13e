package io.headgate.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.hazelcast.map.IMap;
import io.headgate.state.BundleStateStore.Change;
import io.headgate.state.BundleStateStore.Commit;
import io.headgate.state.BundleStateStore.Page;
import io.headgate.state.DescriptorStore.Registration;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** State of bundles and their descriptors in a cluster of real members. */
class ClusterBundleStateTest {
  private static final AtomicInteger LAST = new AtomicInteger();
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static TestMember first;
  private static TestMember second;

  @BeforeAll
  static void start() {
    first = TestMember.first();
    second = first.join();
    first.awaitSettled(2);
  }

  @AfterAll
  static void stop() {
    second.close();
    first.close();
  }

  private static ClusterBundleState state(TestMember member) {
    return new ClusterBundleState(member.cluster, member.clock);
  }

  private static ClusterDescriptors descriptors(TestMember member) {
    return new ClusterDescriptors(member.cluster, member.clock);
  }

  /** A name that no other test has. */
  private static String fresh() {
    return "n" + LAST.incrementAndGet();
  }

  private static List<StateCell> cells(int count) {
    String descriptor = fresh();
    return IntStream.range(0, count)
        .mapToObj(i -> StateCell.of(descriptor, "t", "n", bytes("w"), bytes("key" + i)))
        .toList();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static <T> T get(CompletionStage<T> stage) {
    return TestMember.await(stage.toCompletableFuture());
  }

  private static Change append(StateCell cell, String... pieces) {
    return new Change(
        cell, false, Arrays.stream(pieces).map(ClusterBundleStateTest::bytes).toList());
  }

  private static String read(BundleStateStore store, StateCell cell) {
    Page page = get(store.read(cell, 0, 1_000));
    StringBuilder all = new StringBuilder();
    page.pieces().forEach(piece -> all.append(new String(piece, StandardCharsets.UTF_8)));
    return all.append(page.more() ? "…" : "").toString();
  }

  private static void commit(BundleStateStore store, String bundle, Change... changes) {
    for (Change change : changes) {
      assertThat(get(store.claim(bundle, change.cell()))).isTrue();
    }
    assertThat(get(store.commit(bundle, List.of(changes)))).isEqualTo(Commit.DONE);
  }

  private static int kept(String map) {
    return first.hazelcast().<Object, byte[]>getMap(map).size();
  }

  @Test
  void F7_a_cell_is_claimed_by_one_bundle_of_all_gateways() {
    ClusterBundleState one = state(first);
    ClusterBundleState other = state(second);
    StateCell cell = cells(1).get(0);
    String bundle = fresh();
    String rival = fresh();
    assertThat(get(one.claim(bundle, cell))).isTrue();
    assertThat(get(one.claim(bundle, cell))).as("again").isTrue();
    assertThat(get(one.claim(rival, cell))).isFalse();
    assertThat(get(other.claim(rival, cell))).isFalse();
    get(one.release(bundle, List.of(cell)));
    assertThat(get(other.claim(rival, cell))).isTrue();
    get(other.release(rival, List.of(cell)));
  }

  @Test
  void F7_what_a_bundle_committed_another_gateway_reads() {
    ClusterBundleState one = state(first);
    ClusterBundleState other = state(second);
    List<StateCell> cells = cells(30);
    int commits = kept(StoreMaps.COMMITS);
    commit(one, fresh(), cells.stream().map(cell -> append(cell, "a", "b")).toArray(Change[]::new));
    cells.forEach(cell -> assertThat(read(other, cell)).isEqualTo("ab"));
    assertThat(get(other.read(cells.get(0), 0, 1)).more()).isTrue();
    assertThat(get(other.read(cells.get(0), 1, 9)).pieces()).containsExactly(bytes("b"));
    commit(other, fresh(), new Change(cells.get(0), true, List.of(bytes("c"))));
    assertThat(read(one, cells.get(0))).isEqualTo("c");
    assertThat(kept(StoreMaps.COMMITS)).as("commits carried out are forgotten").isEqualTo(commits);
  }

  @Test
  void F7_a_commit_needs_every_claim() {
    ClusterBundleState store = state(first);
    List<StateCell> cells = cells(2);
    String bundle = fresh();
    assertThat(get(store.claim(bundle, cells.get(0)))).isTrue();
    List<Change> both = List.of(append(cells.get(0), "a"), append(cells.get(1), "b"));
    assertThat(get(store.commit(bundle, both))).isEqualTo(Commit.CLAIM_LOST);
    assertThat(read(store, cells.get(0))).isEmpty();
    assertThat(get(store.commit(bundle, both.subList(0, 1)))).isEqualTo(Commit.DONE);
    assertThat(get(store.commit(bundle, both.subList(0, 1))))
        .as("claims end with a commit")
        .isEqualTo(Commit.CLAIM_LOST);
    assertThat(read(store, cells.get(0))).isEqualTo("a");
  }

  @Test
  void F7_cells_that_were_only_read_are_free_again_and_leave_nothing() {
    ClusterBundleState store = state(first);
    StateCell cell = cells(1).get(0);
    int entries = kept(StoreMaps.CELLS);
    commit(store, fresh(), new Change(cell, false, List.of()));
    await().atMost(PATIENCE).until(() -> kept(StoreMaps.CELLS) == entries);
    assertThat(get(state(second).claim(fresh(), cell))).isTrue();
  }

  @Test
  void F7_a_cell_has_a_bound_and_a_member_has() {
    ClusterBundleState store = state(first);
    StateCell cell = cells(1).get(0);
    String bundle = fresh();
    get(store.claim(bundle, cell));
    byte[] large = new byte[BundleStateStore.MOST_CELL_BYTES / 2 + 1];
    Change twice = new Change(cell, false, List.of(large, large));
    assertThat(get(store.commit(bundle, List.of(twice)))).isEqualTo(Commit.FULL);
    get(store.release(bundle, List.of(cell)));
    assertThat(read(store, cell)).isEmpty();
  }

  @Test
  void F7_a_bundle_that_is_settled_can_not_commit_any_more() {
    ClusterBundleState slow = state(first);
    List<StateCell> cells = cells(2);
    String bundle = fresh();
    cells.forEach(cell -> assertThat(get(slow.claim(bundle, cell))).isTrue());
    // Another store of the same member knows nothing of that bundle, as after a restart.
    ClusterBundleState anew = state(first);
    String next = fresh();
    assertThat(get(anew.claim(next, cells.get(0)))).isTrue();
    assertThat(get(slow.commit(bundle, cells.stream().map(c -> append(c, "late")).toList())))
        .isEqualTo(Commit.CLAIM_LOST);
    get(slow.release(bundle, cells));
    commit(anew, next, append(cells.get(0), "x"));
    assertThat(read(anew, cells.get(0))).isEqualTo("x");
    assertThat(read(anew, cells.get(1))).isEmpty();
    assertThat(get(anew.claim(fresh(), cells.get(1)))).as("given back").isTrue();
  }

  @Test
  void F7_a_commit_that_was_decided_is_carried_out_by_whoever_comes_next() {
    ClusterBundleState store = state(first);
    List<StateCell> cells = cells(5);
    String bundle = fresh();
    cells.forEach(cell -> assertThat(get(store.claim(bundle, cell))).isTrue());
    List<Change> changes = cells.stream().map(cell -> append(cell, "decided")).toList();
    IMap<String, byte[]> commits = first.hazelcast().getMap(StoreMaps.COMMITS);
    commits.put(bundle, StagedCommit.toBytes(changes)); // and then its gateway died
    IMap<byte[], byte[]> kept = first.hazelcast().getMap(StoreMaps.CELLS);
    kept.executeOnKey(
        cells.get(3).toBytes(), new CellApply(bundle, false, List.of(bytes("decided"))));
    ClusterBundleState anew = state(first);
    assertThat(get(anew.claim(fresh(), cells.get(0)))).isTrue();
    cells.forEach(cell -> assertThat(read(anew, cell)).isEqualTo("decided"));
    assertThat(commits.get(bundle)).isNull();
  }

  @Test
  void F7_and_F3_what_was_kept_outlives_a_member_and_its_claims_do_not() {
    TestMember dying = first.join();
    first.awaitSettled(3);
    ClusterBundleState there = state(dying);
    ClusterBundleState here = state(second);
    List<StateCell> cells = cells(50);
    for (StateCell cell : cells) {
      commit(there, fresh(), append(cell, "kept"));
    }
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      ids.add(fresh());
      assertThat(get(descriptors(dying).register(ids.get(i), bytes("of " + ids.get(i)))))
          .isEqualTo(Registration.REGISTERED);
    }
    String open = fresh();
    assertThat(get(there.claim(open, cells.get(0)))).isTrue();
    assertThat(get(here.claim(fresh(), cells.get(0)))).isFalse();

    dying.hazelcast().getLifecycleService().terminate();
    await().atMost(PATIENCE).until(() -> second.cluster.members() == 2);

    for (StateCell cell : cells) {
      String bundle = fresh();
      assertThat(get(here.claim(bundle, cell))).isTrue();
      assertThat(read(here, cell)).isEqualTo("kept");
      get(here.release(bundle, List.of(cell)));
    }
    for (String id : ids) {
      assertThat(get(descriptors(second).read(id))).isEqualTo(bytes("of " + id));
    }
    dying.close();
  }

  @Test
  void F7_bundles_of_two_gateways_that_want_the_same_cells_lose_no_append() {
    List<StateCell> cells = cells(3);
    List<CompletableFuture<Integer>> runs = new ArrayList<>();
    for (TestMember member : List.of(first, second)) {
      ClusterBundleState store = state(member);
      runs.add(CompletableFuture.supplyAsync(() -> appendToAll(store, cells, 40), member.clock));
    }
    int committed = runs.stream().mapToInt(run -> TestMember.await(run)).sum();
    ClusterBundleState store = state(first);
    for (StateCell cell : cells) {
      assertThat(read(store, cell)).hasSize(committed);
    }
    assertThat(committed).isPositive();
  }

  /** How many of so many bundles got all cells, and committed; the others give up. */
  private static int appendToAll(BundleStateStore store, List<StateCell> cells, int bundles) {
    int committed = 0;
    for (int i = 0; i < bundles; i++) {
      String bundle = fresh();
      boolean all = cells.stream().allMatch(cell -> get(store.claim(bundle, cell)));
      if (all) {
        assertThat(get(store.commit(bundle, cells.stream().map(c -> append(c, "x")).toList())))
            .isEqualTo(Commit.DONE);
        committed++;
      } else {
        get(store.release(bundle, cells));
      }
    }
    return committed;
  }

  @Test
  void F7_what_is_dropped_is_gone_but_for_what_a_bundle_has() {
    ClusterBundleState store = state(first);
    List<StateCell> dropped = cells(3);
    List<StateCell> other = cells(1);
    for (StateCell cell : dropped) {
      commit(store, fresh(), append(cell, "a"));
    }
    commit(store, fresh(), append(other.get(0), "b"));
    String descriptor = "n" + (LAST.get() + 1_000_000);
    StateCell named = StateCell.of(descriptor, "t", "n", bytes("w"), bytes("k"));
    StateCell held = StateCell.of(descriptor, "t", "n", bytes("w"), bytes("held"));
    commit(store, fresh(), append(named, "gone"));
    commit(store, fresh(), append(held, "stays"));
    assertThat(get(store.claim(fresh(), held))).isTrue();
    get(state(second).drop(descriptor));
    assertThat(read(store, named)).isEmpty();
    assertThat(read(store, held)).isEqualTo("stays");
    assertThat(read(store, other.get(0))).isEqualTo("b");
  }

  @Test
  void F3_an_id_keeps_its_first_descriptor_at_every_gateway() {
    String id = fresh();
    assertThat(get(descriptors(first).register(id, bytes("one"))))
        .isEqualTo(Registration.REGISTERED);
    assertThat(get(descriptors(second).register(id, bytes("one"))))
        .isEqualTo(Registration.UNCHANGED);
    assertThat(get(descriptors(second).register(id, bytes("two"))))
        .isEqualTo(Registration.CONFLICT);
    assertThat(get(descriptors(second).read(id))).isEqualTo(bytes("one"));
    assertThat(get(descriptors(second).remove(id))).isTrue();
    assertThat(get(descriptors(first).remove(id))).isFalse();
    assertThat(get(descriptors(first).read(id))).isNull();
  }

  @Test
  void F3_ids_are_listed_in_order_from_all_members() {
    List<String> ids = IntStream.range(0, 40).mapToObj(i -> String.format("list-%02d", i)).toList();
    ids.forEach(id -> get(descriptors(first).register(id, bytes("x"))));
    for (TestMember asked : List.of(first, second)) {
      assertThat(get(descriptors(asked).list("list-", 100))).startsWith(ids.toArray(String[]::new));
      assertThat(get(descriptors(asked).list("list-04", 3)))
          .containsExactly("list-05", "list-06", "list-07");
    }
  }

  @Test
  void calls_fail_while_there_is_no_cluster() {
    try (TestMember idle = new TestMember(TestMember.alone(1))) {
      assertThatThrownBy(() -> get(state(idle).claim(fresh(), cells(1).get(0))))
          .hasMessageContaining("cluster-joining");
      assertThatThrownBy(() -> get(descriptors(idle).read("any")))
          .hasMessageContaining("cluster-joining");
    }
  }
}
