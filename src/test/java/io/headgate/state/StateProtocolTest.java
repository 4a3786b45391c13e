package io.headgate.state;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.map.EntryProcessor;
import com.hazelcast.nio.serialization.ByteArraySerializer;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import io.headgate.directory.JobRecord;
import io.headgate.directory.Publication;
import io.headgate.graph.Execution;
import io.headgate.graph.JobStatus;
import io.headgate.state.ServedJob.Verdict;
import io.headgate.timeline.EventDigest;
import io.headgate.timeline.EventType;
import io.headgate.timeline.Observation;
import io.headgate.timeline.Outcome;
import io.headgate.timeline.Timeline;
import io.headgate.timeline.TimelineChange;
import io.headgate.timeline.TimelineLimits;
import io.headgate.timeline.TimelineQuery;
import java.io.IOException;
import java.time.Instant;
import java.util.AbstractMap.SimpleEntry;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What members of different versions say to each other about entries. */
class StateProtocolTest {
  private static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");
  private static final byte[] DIGEST = {1, 2, 3};
  private static final long[] IDS = {5, -7, 1L << 62};

  /** What version 1 sends, which later ones must read. */
  private static final Map<Object, String> VERSION_1 =
      messages(
          new SetEntry(new byte[] {1, 2}, 300),
          "0101020102ac02",
          new SetEntry(null, 0),
          "010000",
          pass(),
          "0108000380889cc5c56803010203030a178e80808080808080800180bab703e0a71263",
          passTold(),
          "0108000380889cc5c56803010203030a178e80808080808080800180bab703e0a7126301",
          publish(),
          "010f01070c030480889cc5c56801020405e807d00f",
          new DirectoryRemove(),
          "01",
          list(),
          "01ac02d00f00020ab002040380889cc5c5680cb6028a0680889cc5c568880e",
          timeline(),
          "010907060100000000e907012e01000006e90700000001640601740164060100000000020a010001060000000000000a0200010600000000000000140010000000000000000000000000000000000001020000",
          new TimelineApply(observed(), 1_000, TimelineLimits.DEFAULT),
          "010f010107060109000006010174010000e807f40364108080800280b89929",
          new TimelineSet(timeline(), 300),
          "0153010907060100000000e907012e01000006e90700000001640601740164060100000000020a010001060000000000000a0200010600000000000000140010000000000000000000000000000000000001020000ac02",
          new TimelineRead(new TimelineQuery(5, 9, "t", Outcome.APPLIED), true, 400, 7),
          "0105090174074150504c4945440190030e",
          new DrawOnce(new byte[] {1, 2}),
          "01020102",
          new TimelineGlance(),
          "01",
          sizes(),
          "01f106",
          new CellClaim("b", "m"),
          "010162016d",
          new CellApply("b", true, List.of(new byte[] {1, 2}, new byte[0])),
          "010162010202010200",
          new CellRead(3, 300),
          "0103ac02",
          new CommitDecide(new byte[] {9}),
          "010109",
          new CommitSettle(300),
          "01ac02",
          new RemoveEntry("m"),
          "01016d",
          new DescriptorRegister(new byte[] {9}),
          "010109",
          ids(),
          "01016105010162",
          new FreeCellsOf(new byte[] {7}),
          "010107");

  /** Each message and what is sent for it, in turn. */
  private static Map<Object, String> messages(Object... pairs) {
    Map<Object, String> all = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      all.put(pairs[i], (String) pairs[i + 1]);
    }
    return all;
  }

  private static TimelineChange observed() {
    EventType type = EventType.SCHEMA_CHANGE_ADD_COLUMN;
    EventDigest digest = EventDigest.of(new byte[32]);
    Observation event = new Observation(digest, 5, "t", type, List.of(), false);
    return new TimelineChange.Observed(7, List.of(event), 3);
  }

  private static Timeline timeline() {
    return Timeline.apply(null, observed(), 1_000, TimelineLimits.DEFAULT).timeline();
  }

  private static TimelineSizes sizes() {
    TimelineSizes sizes = new TimelineSizes();
    sizes.accumulate(Map.entry(7L, timeline()));
    return sizes;
  }

  private static DirectoryList list() {
    DirectoryList list = new DirectoryList(300, 1_000);
    for (JobStatus status : new JobStatus[] {JobStatus.RUNNING, JobStatus.CANCELED}) {
      long id = 300 + status.ordinal();
      Publication publication = new Publication(id, 3, status, NOON, new byte[] {4, 5});
      list.accumulate(
          Map.entry(id, JobRecord.publish(null, publication, 900, 1_000).record().toBytes()));
    }
    return list;
  }

  private static DescriptorIds ids() {
    DescriptorIds ids = new DescriptorIds("a", 5);
    ids.accumulate(Map.entry("b", new byte[0]));
    ids.accumulate(Map.entry("a", new byte[0]));
    return ids;
  }

  private static FencePass pass() {
    FenceConfig config = FenceConfig.DEFAULT;
    return new FencePass(Execution.ofEpoch(3, NOON), DIGEST, IDS, config, 99, false);
  }

  private static FencePass passTold() {
    FenceConfig config = FenceConfig.DEFAULT;
    return new FencePass(Execution.ofEpoch(3, NOON), DIGEST, IDS, config, 99, true);
  }

  private static DirectoryPublish publish() {
    Publication publication = new Publication(7, 3, JobStatus.RUNNING, NOON, new byte[] {4, 5});
    return new DirectoryPublish(publication, 1_000, 2_000);
  }

  static List<Object> messages() {
    return List.copyOf(VERSION_1.keySet());
  }

  @SuppressWarnings("unchecked")
  private static ByteArraySerializer<Object> serializer(Object message) {
    return StateSerializers.ALL.stream()
        .filter(config -> config.getTypeClass() == message.getClass())
        .map(config -> (ByteArraySerializer<Object>) config.getImplementation())
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @MethodSource("messages")
  void a_message_arrives_as_it_was_sent_and_a_newer_ones_tail_is_passed_over(Object message)
      throws IOException {
    ByteArraySerializer<Object> serializer = serializer(message);
    byte[] bytes = serializer.write(message);
    assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(VERSION_1.get(message));
    byte[] newer = Arrays.copyOf(bytes, bytes.length + 9);
    newer[0] = 2;
    Arrays.fill(newer, bytes.length, newer.length, (byte) 0xEE);
    for (byte[] each : List.of(bytes, newer)) {
      Object read = serializer.read(each);
      assertThat(read).isInstanceOf(message.getClass());
      assertThat(serializer.write(read)).isEqualTo(bytes);
    }
  }

  @ParameterizedTest
  @MethodSource("messages")
  void spoiled_messages_are_refused_or_read_as_another(Object message) throws IOException {
    ByteArraySerializer<Object> serializer = serializer(message);
    Random random = new Random(7);
    for (int i = 0; i < 2_000; i++) {
      byte[] bytes = serializer.write(message);
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      byte[] cut = Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
      try {
        assertThat(serializer.read(cut)).isInstanceOf(message.getClass());
      } catch (HazelcastSerializationException expected) {
        assertThat(expected).hasMessageStartingWith("unreadable bytes of type 57");
      }
    }
  }

  @Test
  void numbers_of_types_are_distinct_and_stay() {
    assertThat(StateSerializers.ALL.stream().map(each -> each.getImplementation().getTypeId()))
        .containsExactly(
            5701, 5702, 5703, 5704, 5705, 5706, 5707, 5708, 5709, 5710, 5711, 5712, 5721, 5722,
            5723, 5724, 5725, 5726, 5727, 5728, 5729);
  }

  @Test
  void an_answer_of_the_fence_comes_back_as_it_was_given() {
    for (FenceAnswer answer :
        List.of(
            new FenceAnswer(Verdict.OLDER, false, null, false),
            new FenceAnswer(Verdict.SERVE, false, null, false),
            new FenceAnswer(Verdict.SERVE, true, null, true),
            new FenceAnswer(Verdict.SERVE, false, IDS, false))) {
      byte[] newer = Arrays.copyOf(answer.toBytes(), answer.toBytes().length + 3);
      assertThat(FenceAnswer.fromBytes(answer.toBytes()))
          .usingRecursiveComparison()
          .isEqualTo(answer);
      assertThat(FenceAnswer.fromBytes(newer)).usingRecursiveComparison().isEqualTo(answer);
    }
  }

  @Test
  void L22b_where_there_is_no_room_executions_are_remembered_and_numberings_are_not() {
    MapFill full = new MapFill(0);
    Map.Entry<Long, byte[]> entry = new SimpleEntry<>(7L, null);
    FencePass pass = pass();
    pass.keepWithin(full);
    pass.process(entry);
    ServedJob kept = ServedJob.fromBytes(entry.getValue());
    assertThat(kept.idCount()).isZero();
    byte[] before = entry.getValue();
    assertThat(FenceAnswer.fromBytes(pass().keepWithin(full).process(entry)).ids()).isNull();
    assertThat(entry.getValue()).as("not written again").isSameAs(before);
    FencePass older =
        new FencePass(Execution.ofEpoch(2, NOON), DIGEST, IDS, FenceConfig.DEFAULT, 99, false);
    assertThat(FenceAnswer.fromBytes(older.keepWithin(full).process(entry)).verdict())
        .isEqualTo(Verdict.OLDER);
  }

  @Test
  void a_member_owns_no_more_than_a_quarter_of_its_heap_whatever_is_configured() {
    assertThat(MapFill.within(100, 1000)).isEqualTo(100);
    assertThat(MapFill.within(251, 1000)).isEqualTo(250);
    assertThat(MapFill.within(Long.MAX_VALUE, Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE / 4);
    assertThat(MapFill.ofTimelines(100, 16_000)).isEqualTo(100);
    assertThat(MapFill.ofTimelines(2_000, 16_000)).as("a quarter of that").isEqualTo(1_000);
  }

  @Test
  void a_repeated_step_changes_nothing_and_has_nothing_to_copy() {
    Map.Entry<Long, byte[]> entry = new SimpleEntry<>(7L, null);
    FencePass pass = pass();
    byte[] answer = pass.process(entry);
    assertThat(pass.getBackupProcessor()).isNotNull();
    byte[] before = entry.getValue();
    FencePass again = pass();
    assertThat(FenceAnswer.fromBytes(again.process(entry)).verdict()).isEqualTo(Verdict.SERVE);
    assertThat(again.getBackupProcessor()).isNull();
    assertThat(entry.getValue()).isSameAs(before);
    assertThat(FenceAnswer.fromBytes(answer).ids()).isNull();
  }

  @Test
  void L22a_a_job_that_moves_on_stays_untold_until_somebody_has_told_all_and_is_copied_each_time() {
    Map.Entry<Long, byte[]> entry = new SimpleEntry<>(7L, null);
    Execution before = Execution.ofEpoch(2, NOON);
    FencePass first = new FencePass(before, DIGEST, IDS, FenceConfig.DEFAULT, 99, false);
    assertThat(FenceAnswer.fromBytes(first.process(entry)).untold()).as("none before").isFalse();
    for (FencePass pass : List.of(pass(), pass())) {
      FenceAnswer answer = FenceAnswer.fromBytes(pass.process(entry));
      assertThat(answer.verdict()).isEqualTo(Verdict.SERVE);
      assertThat(answer.untold()).isTrue();
      assertThat(copy(pass)).isEqualTo(new SetEntry(entry.getValue(), 0));
    }
    assertThat(FenceAnswer.fromBytes(first.process(entry)).verdict()).isEqualTo(Verdict.OLDER);
    assertThat(FenceAnswer.fromBytes(first.process(entry)).untold()).isFalse();
    for (FencePass told : List.of(passTold(), passTold())) {
      assertThat(FenceAnswer.fromBytes(told.process(entry)).untold()).isFalse();
      assertThat(copy(told)).isEqualTo(new SetEntry(entry.getValue(), 0));
    }
    FencePass after = pass();
    assertThat(FenceAnswer.fromBytes(after.process(entry)).untold()).isFalse();
    assertThat(after.getBackupProcessor()).isNull();
  }

  @Test
  void what_is_acknowledged_without_a_change_is_copied_again_in_case_its_copy_was_lost() {
    Map.Entry<Long, byte[]> job = new SimpleEntry<>(7L, null);
    DirectoryPublish publish = publish();
    assertThat(publish.process(job)).isEqualTo("PUBLISHED");
    assertThat(copy(publish)).isEqualTo(new SetEntry(job.getValue(), 0));
    DirectoryPublish again = publish();
    assertThat(again.process(job)).isEqualTo("UNCHANGED");
    assertThat(copy(again)).isEqualTo(new SetEntry(job.getValue(), 0));
    Publication before = new Publication(7, 2, JobStatus.RUNNING, NOON, null);
    DirectoryPublish stale = new DirectoryPublish(before, 1_000, 2_000);
    assertThat(stale.process(job)).isEqualTo("STALE_EPOCH");
    assertThat(copy(stale)).isNull();

    for (boolean there : new boolean[] {true, false}) {
      DirectoryRemove remove = new DirectoryRemove();
      assertThat(remove.process(job)).isEqualTo(there);
      assertThat(copy(remove)).isEqualTo(new SetEntry(null, 0));
    }
  }

  @Test
  void the_copy_of_an_ended_job_that_is_sent_again_goes_when_the_job_does() {
    Publication end = new Publication(7, 3, JobStatus.CANCELED, NOON, new byte[] {4, 5});
    Map.Entry<Long, byte[]> job = new SimpleEntry<>(7L, null);
    new DirectoryPublish(end, 1_000, 2_000).process(job);
    DirectoryPublish again = new DirectoryPublish(end, 1_500, 2_000);
    assertThat(again.process(job)).isEqualTo("UNCHANGED");
    assertThat(copy(again)).isEqualTo(new SetEntry(job.getValue(), 1_500));
  }

  private static Object copy(EntryProcessor<Long, byte[], ?> done) {
    return done.getBackupProcessor();
  }
}
