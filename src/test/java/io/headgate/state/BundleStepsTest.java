package io.headgate.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.map.EntryProcessor;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import io.headgate.state.BundleStateStore.Change;
import io.headgate.state.BundleStateStore.Commit;
import java.nio.charset.StandardCharsets;
import java.util.AbstractMap.SimpleEntry;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What runs on the owner of a cell or of a commit, step by step, and what its copy is told. */
class BundleStepsTest {
  private static final byte[] KEY = {1};
  private static final List<byte[]> PIECES = List.of(new byte[] {7}, new byte[] {8, 9});

  private static <K> Map.Entry<K, byte[]> empty(K key) {
    return new SimpleEntry<>(key, null);
  }

  /** What the copy is made, or null if it is told nothing. */
  private static @Nullable SetEntry copy(EntryProcessor<?, ?, ?> step) {
    Object copied = step.getBackupProcessor();
    return copied == null ? null : (SetEntry) copied;
  }

  private static void assertCopied(EntryProcessor<?, ?, ?> step, Map.Entry<?, byte[]> entry) {
    SetEntry copy = copy(step);
    assertThat(copy).isNotNull();
    assertThat(copy.value()).isEqualTo(entry.getValue());
  }

  private static CellClaim.Answer claim(Map.Entry<byte[], byte[]> entry, String bundle) {
    return CellClaim.Answer.fromBytes(new CellClaim(bundle, "m").process(entry));
  }

  @Test
  void F7_a_claim_is_copied_each_time_it_is_made_and_not_when_it_is_refused() {
    Map.Entry<byte[], byte[]> entry = empty(KEY);
    for (int i = 0; i < 2; i++) {
      CellClaim claim = new CellClaim("b1", "m");
      CellClaim.Answer answer = CellClaim.Answer.fromBytes(claim.process(entry));
      assertThat(answer).isEqualTo(new CellClaim.Answer("b1", "m", 0, true));
      assertCopied(claim, entry);
    }
    CellClaim other = new CellClaim("b2", "m");
    byte[] before = entry.getValue();
    assertThat(CellClaim.Answer.fromBytes(other.process(entry)).bundle()).isEqualTo("b1");
    assertThat(copy(other)).isNull();
    assertThat(entry.getValue()).isSameAs(before);
  }

  @Test
  void F7_changes_are_made_once_and_by_who_has_the_cell() {
    Map.Entry<byte[], byte[]> entry = empty(KEY);
    claim(entry, "b1");
    CellApply stranger = new CellApply("b2", true, PIECES);
    assertThat(stranger.process(entry)).isFalse();
    assertCopied(stranger, entry);
    CellApply apply = new CellApply("b1", false, PIECES);
    assertThat(apply.process(entry)).isTrue();
    assertCopied(apply, entry);
    byte[] once = entry.getValue();
    CellApply again = new CellApply("b1", false, PIECES);
    assertThat(again.process(entry)).isFalse();
    assertThat(entry.getValue()).isSameAs(once);
    assertCopied(again, entry);
    assertThat(claim(entry, "b2").bytes()).isEqualTo(3);
    new CellApply("b2", true, List.of()).process(entry);
    assertThat(entry.getValue()).as("nothing to keep").isNull();
  }

  @Test
  void F7_what_is_decided_first_stays() {
    byte[] commit =
        StagedCommit.toBytes(List.of(new Change(StateCell.fromBytes(KEY), true, PIECES)));
    Map.Entry<String, byte[]> decided = empty("b1");
    for (int i = 0; i < 2; i++) {
      CommitDecide decide = new CommitDecide(commit);
      assertThat(decide.process(decided)).isEqualTo(Commit.DONE.name());
      assertCopied(decide, decided);
    }
    CommitSettle late = new CommitSettle(5);
    assertThat(late.process(decided)).isEqualTo(commit);
    assertCopied(late, decided);
    Map.Entry<String, byte[]> never = empty("b2");
    for (int i = 0; i < 2; i++) {
      CommitSettle settle = new CommitSettle(5);
      assertThat(StagedCommit.isDecided(settle.process(never))).isFalse();
      assertThat(copy(settle)).isEqualTo(new SetEntry(StagedCommit.NEVER, 5));
    }
    assertThat(new CommitDecide(commit).process(never)).isEqualTo(Commit.CLAIM_LOST.name());
  }

  @Test
  void F7_commits_that_are_carried_out_leave_their_room_to_the_next() {
    byte[] commit =
        StagedCommit.toBytes(List.of(new Change(StateCell.fromBytes(KEY), true, PIECES)));
    MapFill room = new MapFill(commit.length + 1);
    for (int i = 0; i < 3; i++) {
      Map.Entry<String, byte[]> entry = empty("b" + i);
      assertThat(new CommitDecide(commit).within(room).process(entry)).isEqualTo("DONE");
      assertThat(new CommitDecide(commit).within(room).process(empty("other"))).isEqualTo("FULL");
      assertThat(new RemoveEntry(StoreMaps.COMMITS).within(room).process(entry)).isTrue();
      assertThat(new RemoveEntry(StoreMaps.COMMITS).within(room).process(entry)).isFalse();
    }
    assertThat(room.bytes()).isZero();
  }

  @Test
  void stored_forms_stay_and_spoiled_ones_are_never_taken_for_nothing() {
    KeptCell cell = new KeptCell(3, "b", "m", PIECES);
    assertThat(HexFormat.of().formatHex(cell.toBytes())).isEqualTo("01030162016d020107020809");
    assertThat(KeptCell.read(cell.toBytes())).usingRecursiveComparison().isEqualTo(cell);
    byte[] cut = HexFormat.of().parseHex("01030162016d0201");
    assertThatThrownBy(() -> KeptCell.read(cut))
        .isInstanceOf(HazelcastSerializationException.class);
    Change change = new Change(StateCell.fromBytes(KEY), true, PIECES);
    byte[] commit = StagedCommit.toBytes(List.of(change));
    assertThat(HexFormat.of().formatHex(commit)).isEqualTo("010101010101020107020809");
    assertThat(StagedCommit.fromBytes(commit))
        .usingRecursiveComparison()
        .isEqualTo(List.of(change));
    assertThat(StagedCommit.isDecided("".getBytes(StandardCharsets.UTF_8))).isFalse();
  }
}
