package io.headgate.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.state.BundleStateStore.Change;
import io.headgate.state.BundleStateStore.Commit;
import io.headgate.state.BundleStateStore.Page;
import io.headgate.state.DescriptorStore.Registration;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** What the Fn API may rely on in the stores of bundles' state and of descriptors. */
class BundleStoreTest {
  private static final StateCell CELL = cell("d1", "key");

  private static StateCell cell(String descriptor, String key) {
    return StateCell.of(descriptor, "t", "n", bytes("w"), bytes(key));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static <T> T get(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  private static Change append(StateCell cell, String... pieces) {
    return new Change(cell, false, Arrays.stream(pieces).map(BundleStoreTest::bytes).toList());
  }

  private static String read(BundleStateStore store, StateCell cell) {
    Page page = get(store.read(cell, 0, 1_000));
    StringBuilder all = new StringBuilder();
    page.pieces().forEach(piece -> all.append(new String(piece, StandardCharsets.UTF_8)));
    return all.append(page.more() ? "…" : "").toString();
  }

  @Test
  void F7_a_cell_is_claimed_by_one_bundle_at_a_time() {
    BundleStateStore store = new InProcessBundleState(1 << 20);
    assertThat(get(store.claim("b1", CELL))).isTrue();
    assertThat(get(store.claim("b1", CELL))).as("again").isTrue();
    assertThat(get(store.claim("b2", CELL))).isFalse();
    assertThat(get(store.claim("b2", cell("d1", "other")))).isTrue();
    get(store.release("b1", List.of(CELL)));
    assertThat(get(store.claim("b2", CELL))).isTrue();
  }

  @Test
  void F7_a_commit_needs_every_claim_and_changes_all_or_nothing() {
    InProcessBundleState store = new InProcessBundleState(1 << 20);
    StateCell other = cell("d1", "other");
    get(store.claim("b1", CELL));
    assertThat(get(store.commit("b1", List.of(append(CELL, "a"), append(other, "b")))))
        .isEqualTo(Commit.CLAIM_LOST);
    assertThat(read(store, CELL)).isEmpty();
    get(store.claim("b1", other));
    assertThat(get(store.commit("b1", List.of(append(CELL, "a", "b"), append(other)))))
        .isEqualTo(Commit.DONE);
    assertThat(read(store, CELL)).isEqualTo("ab");
    assertThat(store.claims()).isZero();
    get(store.claim("b2", CELL));
    get(store.commit("b2", List.of(new Change(CELL, true, List.of(bytes("c"))))));
    assertThat(read(store, CELL)).isEqualTo("c");
  }

  @Test
  void F7_pages_hold_whole_pieces_and_at_least_one() {
    BundleStateStore store = new InProcessBundleState(1 << 20);
    get(store.claim("b1", CELL));
    get(store.commit("b1", List.of(append(CELL, "aaa", "bbb", "cccccccccc", "d"))));
    assertThat(get(store.read(CELL, 0, 6)).pieces()).hasSize(2);
    assertThat(get(store.read(CELL, 0, 6)).more()).isTrue();
    assertThat(get(store.read(CELL, 2, 6)).pieces()).hasSize(1);
    assertThat(get(store.read(CELL, 3, 6)).more()).isFalse();
    assertThat(get(store.read(CELL, 4, 6)).pieces()).isEmpty();
  }

  @Test
  void F7_what_does_not_fit_changes_nothing_and_a_clear_makes_room() {
    InProcessBundleState store = new InProcessBundleState(300);
    StateCell other = cell("d2", "key");
    get(store.claim("b1", CELL));
    assertThat(get(store.commit("b1", List.of(append(CELL, "x".repeat(200))))))
        .isEqualTo(Commit.DONE);
    get(store.claim("b2", other));
    assertThat(get(store.commit("b2", List.of(append(other, "y".repeat(200))))))
        .isEqualTo(Commit.FULL);
    get(store.claim("b3", CELL));
    get(store.commit("b3", List.of(new Change(CELL, true, List.of()))));
    assertThat(get(store.commit("b2", List.of(append(other, "y".repeat(200))))))
        .isEqualTo(Commit.DONE);
    get(store.drop("d2"));
    assertThat(read(store, other)).isEmpty();
    assertThat(store.bytes()).isZero();
  }

  @Test
  void F7_cells_are_the_same_only_if_every_part_is() {
    assertThat(StateCell.of("a", "b", "c", bytes("d"), bytes("e")))
        .isEqualTo(StateCell.of("a", "b", "c", bytes("d"), bytes("e")))
        .isNotEqualTo(StateCell.of("ab", "", "c", bytes("d"), bytes("e")))
        .isNotEqualTo(StateCell.of("a", "b", "c", bytes("de"), bytes("")))
        .isEqualTo(
            StateCell.fromBytes(StateCell.of("a", "b", "c", bytes("d"), bytes("e")).toBytes()));
  }

  @Test
  void F3_an_id_keeps_its_first_descriptor() {
    DescriptorStore store = new InProcessDescriptors(2, 100);
    assertThat(get(store.register("b", bytes("one")))).isEqualTo(Registration.REGISTERED);
    assertThat(get(store.register("b", bytes("one")))).isEqualTo(Registration.UNCHANGED);
    assertThat(get(store.register("b", bytes("two")))).isEqualTo(Registration.CONFLICT);
    assertThat(get(store.register("a", bytes("x".repeat(98))))).isEqualTo(Registration.FULL);
    assertThat(get(store.register("a", bytes("x")))).isEqualTo(Registration.REGISTERED);
    assertThat(get(store.register("c", bytes("x")))).isEqualTo(Registration.FULL);
    assertThat(get(store.read("b"))).isEqualTo(bytes("one"));
    assertThat(get(store.read("c"))).isNull();
    assertThat(get(store.list("", 10))).containsExactly("a", "b");
    assertThat(get(store.list("a", 10))).containsExactly("b");
    assertThat(get(store.remove("b"))).isTrue();
    assertThat(get(store.remove("b"))).isFalse();
    assertThat(get(store.register("b", bytes("two")))).isEqualTo(Registration.REGISTERED);
  }
}
