package io.headgate.timeline;

import static io.headgate.timeline.JobLife.completed;
import static io.headgate.timeline.JobLife.event;
import static io.headgate.timeline.JobLife.events;
import static io.headgate.timeline.JobLife.resolved;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.wire.PackedReader;
import io.headgate.wire.PackedWriter;
import io.headgate.wire.UnreadableBytesException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Timelines, changes and receipts as bytes, also those of other versions. */
class TimelineBytesTest {
  @Property(tries = 300)
  void a_timeline_reads_back_as_it_was(
      @ForAll Random random, @ForAll @IntRange(min = 1, max = 60) int turns) {
    JobLife life = lived(random, turns);
    byte[] bytes = life.timeline().toBytes();
    assertThat((long) bytes.length).isLessThanOrEqualTo(life.timeline().bytes());
    JobLife read = life.copy();
    read.become(Timeline.fromBytes(bytes));
    assertThat(read.json(true)).isEqualTo(life.json(true));
    assertThat(read.timeline().bytes()).isEqualTo(life.timeline().bytes());
    assertThat(read.timeline().toBytes()).isEqualTo(bytes);
    live(life, new Random(7), 10);
    live(read, new Random(7), 10);
    assertThat(read.json(true)).as("and lives on alike").isEqualTo(life.json(true));
  }

  @Property(tries = 200)
  void a_change_reads_back_as_it_was(@ForAll Random random) {
    List<TimelineChange> changes = new ArrayList<>();
    changes.add(new TimelineChange.Observed(JobLife.JOB, events(1, random.nextInt(5)), -1));
    changes.add(new TimelineChange.Ended(JobLife.JOB));
    changes.add(new TimelineChange.Resumed(JobLife.JOB));
    List<DecisionEvent> decisions = new ArrayList<>();
    for (int i = random.nextInt(6); i >= 0; i--) {
      decisions.add(decision(random, 3));
    }
    changes.add(new TimelineChange.Decided(JobLife.JOB, decisions, 0));
    JobLife one = new JobLife();
    JobLife other = new JobLife();
    for (TimelineChange change : changes) {
      TimelineChange read = TimelineChange.fromBytes(change.toBytes());
      assertThat(read.toBytes()).isEqualTo(change.toBytes());
      Receipt receipt = one.apply(change);
      assertThat(other.apply(read)).isEqualTo(receipt);
      assertThat(Receipt.fromBytes(receipt.toBytes())).isEqualTo(receipt);
    }
    assertThat(other.exists()).isEqualTo(one.exists());
    if (one.exists()) {
      assertThat(other.timeline().toBytes()).isEqualTo(one.timeline().toBytes());
    }
  }

  @Property(tries = 500)
  void damaged_bytes_are_unreadable_or_a_timeline_and_nothing_else(@ForAll Random random) {
    byte[] bytes = lived(new Random(1), 30).timeline().toBytes();
    byte[] damaged = bytes.clone();
    for (int i = random.nextInt(4); i >= 0; i--) {
      damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
    }
    if (random.nextBoolean()) {
      damaged = Arrays.copyOf(damaged, random.nextInt(damaged.length));
    }
    try {
      Timeline.fromBytes(damaged);
    } catch (UnreadableBytesException e) {
      assertThat(e).hasNoCause();
    }
  }

  @Test
  void bytes_that_the_first_version_wrote_are_read() throws IOException {
    byte[] bytes = resource("/timelines/version-1.bin");
    JobLife life = new JobLife();
    life.become(Timeline.fromBytes(bytes));
    assertThat(life.json(true) + "\n")
        .isEqualTo(
            new String(
                resource("/timelines/version-1.json"), java.nio.charset.StandardCharsets.UTF_8));
  }

  /** What stands in the resources; run it by hand to see what a new version would write. */
  static JobLife firstVersion() {
    JobLife life = new JobLife();
    life.observe(events(1, 3));
    life.decide(
        resolved(1, "dw.orders", 2),
        completed(1, "dw.orders", Outcome.APPLIED),
        JobLife.on(1, Stage.COMPLETED)
            .target("dw.\u00f6rders", "jdbc", "1")
            .outcome(Outcome.FAILED)
            .reason(ReasonCode.SINK_APPLY_FAILED)
            .capability(Capability.UNSUPPORTED)
            .error("no column")
            .build(),
        JobLife.on(2, Stage.POLICY_EVALUATED).policy("IGNORE").outcome(Outcome.IGNORED).build(),
        JobLife.first("key", Stage.OBSERVED).sourceTable("shop.items").build());
    life.observe(event(2), event(9));
    life.end();
    return life;
  }

  @Test
  void a_field_that_is_missing_at_the_end_takes_its_default() {
    JobLife life = lived(new Random(2), 10);
    PackedReader in = new PackedReader(life.timeline().toBytes());
    PackedWriter out = new PackedWriter(1_024, 1 << 20);
    out.octet(in.octet());
    out.bytes(withoutLastField(in.bytes()));
    copyRest(in, out);
    JobLife read = new JobLife();
    read.become(Timeline.fromBytes(out.toByteArray()));
    assertThat(read.json(true)).isEqualTo(life.json(true));
    assertThat(read.timeline().changedAt()).isZero();
  }

  /** A head without the time of the last change, which has six bytes. */
  private static byte[] withoutLastField(byte[] head) {
    return Arrays.copyOf(head, head.length - 6);
  }

  @Test
  void fields_of_a_newer_version_at_the_end_of_each_part_are_passed_over() {
    JobLife life = lived(new Random(3), 10);
    PackedReader in = new PackedReader(life.timeline().toBytes());
    PackedWriter out = new PackedWriter(1_024, 1 << 20);
    out.octet(in.octet() + 1);
    out.bytes(withMore(in.bytes()));
    int records = in.count(1);
    out.number(records);
    for (int i = 0; i < records; i++) {
      out.bytes(withMore(in.bytes()));
    }
    out.bytes(withMore(in.bytes()));
    out.bytes(withMore(in.bytes()));
    out.text("a whole new part");
    JobLife read = new JobLife();
    read.become(Timeline.fromBytes(out.toByteArray()));
    assertThat(read.json(true)).isEqualTo(life.json(true));
  }

  private static byte[] withMore(byte[] part) {
    return Arrays.copyOf(part, part.length + 3);
  }

  private static void copyRest(PackedReader in, PackedWriter out) {
    while (in.hasMore()) {
      out.octet(in.octet());
    }
  }

  private static byte[] resource(String name) throws IOException {
    try (InputStream in = TimelineBytesTest.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException("no resource " + name);
      }
      return in.readAllBytes();
    }
  }

  private static JobLife lived(Random random, int turns) {
    JobLife life = new JobLife();
    life.observe(event(0));
    live(life, random, turns);
    return life;
  }

  private static void live(JobLife life, Random random, int turns) {
    for (int i = 0; i < turns; i++) {
      life.now += random.nextInt(1_000);
      switch (random.nextInt(8)) {
        case 0 -> life.end();
        case 1 -> life.resume();
        case 2, 3 -> {
          int from = random.nextInt(40);
          life.observe(events(from, from + random.nextInt(6)));
        }
        default -> life.decide(decision(random, 1 + random.nextInt(20)));
      }
    }
  }

  private static DecisionEvent decision(Random random, long sequence) {
    Stage stage = Stage.values()[random.nextInt(Stage.values().length)];
    DecisionEvent.Builder event =
        switch (random.nextInt(3)) {
          case 0 -> JobLife.on(sequence, stage);
          case 1 -> JobLife.first("k" + random.nextInt(20), stage);
          default ->
              DecisionEvent.of(
                  JobLife.JOB,
                  new ChangeReference.BySequence(
                      sequence, random.nextBoolean() ? null : JobLife.HISTORY),
                  stage);
        };
    if (random.nextBoolean()) {
      event.target("t\u00e4" + random.nextInt(4), null, random.nextBoolean() ? "0" : null);
      event.outcome(Outcome.values()[random.nextInt(5)]);
    }
    if (random.nextBoolean()) {
      event.error("x\uD834\uDD1E".repeat(random.nextInt(2_000)));
      event.reason(ReasonCode.values()[random.nextInt(ReasonCode.values().length)]);
      event.capability(Capability.values()[random.nextInt(3)]);
    }
    if (random.nextBoolean()) {
      event.policy("STRICT").attempt(1 + random.nextInt(20)).sourceTable("s.t");
      event.eventType(EventType.values()[random.nextInt(EventType.values().length)]);
    }
    if (stage == Stage.TARGET_RESOLVED) {
      event.targetCount(random.nextInt(5));
    }
    return event.build();
  }
}
