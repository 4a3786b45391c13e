package io.headgate.state;

import static io.headgate.state.ClusterTimelinesTest.apply;
import static io.headgate.state.ClusterTimelinesTest.map;
import static io.headgate.state.ClusterTimelinesTest.timelines;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headgate.graph.Deadline;
import io.headgate.timeline.ChangeReference;
import io.headgate.timeline.DecisionEvent;
import io.headgate.timeline.EventDigest;
import io.headgate.timeline.EventType;
import io.headgate.timeline.Observation;
import io.headgate.timeline.Outcome;
import io.headgate.timeline.Receipt;
import io.headgate.timeline.Stage;
import io.headgate.timeline.Timeline;
import io.headgate.timeline.TimelineChange;
import io.headgate.timeline.TimelineLimits;
import io.headgate.timeline.TimelineQuery;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The largest timelines there can be (T10), in a cluster: on the owner, in the copy, in pages. */
class LargeTimelinesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int PAGE_BYTES = 8 << 20;
  private static final int TARGETS = 100;
  private static final int RECORDS = 500;

  private static TestMember asked;
  private static TestMember owner;

  @BeforeAll
  static void start() {
    asked = TestMember.first();
    owner = asked.join();
    asked.awaitSettled(2);
  }

  @AfterAll
  static void stop() {
    asked.close();
  }

  private static JsonNode page(long job, TimelineQuery query) throws IOException {
    byte[] page =
        TestMember.await(
            timelines(asked)
                .page(job, query, true, PAGE_BYTES, Deadline.in(PATIENCE))
                .answer()
                .toCompletableFuture());
    return new ObjectMapper().readTree(page);
  }

  private static TimelineChange observed(long job, int from, int count) {
    List<Observation> events =
        IntStream.range(from, from + count)
            .mapToObj(
                i ->
                    new Observation(
                        new EventDigest(i, -i),
                        1_796_032_800_000L + i,
                        "shop.orders",
                        EventType.SCHEMA_CHANGE_ADD_COLUMN,
                        List.of(),
                        false))
            .toList();
    return new TimelineChange.Observed(job, events, ClusterTimelinesTest.HISTORY);
  }

  private static TimelineChange failed(long job, long sequence) {
    ChangeReference change = new ChangeReference.BySequence(sequence, null);
    String error = "e".repeat(DecisionEvent.MAX_ERROR_BYTES);
    List<DecisionEvent> events = new ArrayList<>();
    for (int target = 0; target < TARGETS; target++) {
      String table = "dw.orders_%02d".formatted(target);
      events.add(
          DecisionEvent.of(job, change, Stage.TARGET_RESOLVED)
              .target(table, "Jdbc", null)
              .targetCount(TARGETS)
              .build());
      events.add(
          DecisionEvent.of(job, change, Stage.COMPLETED)
              .target(table, "Jdbc", null)
              .outcome(Outcome.FAILED)
              .error(error)
              .build());
    }
    return new TimelineChange.Decided(job, events, ClusterTimelinesTest.HISTORY);
  }

  @Test
  void T10_500_records_of_100_targets_with_4_KiB_of_errors_say_all_that_they_had_to_leave_out()
      throws IOException {
    long job = owner.owned(1).findFirst().orElseThrow();
    int bound = TimelineLimits.DEFAULT.jobBytes();
    apply(timelines(asked), observed(job, 0, RECORDS));
    for (long sequence = 1; sequence <= RECORDS; sequence++) {
      apply(timelines(asked), failed(job, sequence));
    }
    Timeline kept = map(asked).get(job);
    assertThat(kept.bytes()).isBetween(bound / 2L, (long) bound);
    assertThat(kept.toBytes()).hasSizeLessThanOrEqualTo(bound);
    assertThat(Timeline.fromBytes(kept.toBytes()).bytes())
        .as("counted anew")
        .isEqualTo(kept.bytes());
    JsonNode page = page(job, new TimelineQuery(RECORDS, Long.MAX_VALUE, null, null));
    assertThat(page.get("truncated").asBoolean()).isTrue();
    assertThat(page.get("records").size() + page.get("evictedRecords").asInt()).isEqualTo(RECORDS);
    int allNamed = 0;
    for (JsonNode record : page.get("records")) {
      assertThat(record.get("outcome").asText()).isEqualTo("FAILED");
      assertThat(record.get("targetCount").asInt()).isEqualTo(TARGETS);
      boolean named = record.get("targets").size() == TARGETS;
      boolean explained = named;
      for (JsonNode target : record.get("targets")) {
        explained &= target.get("errorSummary").asText().length() == 4_096;
      }
      assertThat(record.get("targetsTruncated").asBoolean()).isEqualTo(!named);
      assertThat(record.get("detailsTruncated").asBoolean()).isEqualTo(!explained);
      allNamed += named ? 1 : 0;
    }
    assertThat(allNamed).as("texts went before names").isPositive();

    owner.hazelcast().getLifecycleService().terminate();
    assertThat(map(asked).get(job).toBytes()).as("the copy").isEqualTo(kept.toBytes());
    owner.close();
  }

  @Test
  void T10_of_10000_changes_that_are_only_observed_the_newest_500_are_kept() throws IOException {
    long job = asked.owned(10_000).findFirst().orElseThrow();
    int evicted = 0;
    for (int from = 0; from < 10_000; from += 100) {
      Receipt receipt = apply(timelines(asked), observed(job, from, 100));
      assertThat(receipt.recorded()).isEqualTo(100);
      evicted += receipt.evictedUnresolved();
    }
    assertThat(evicted).isEqualTo(9_500);
    JsonNode page = page(job, new TimelineQuery(RECORDS, Long.MAX_VALUE, null, null));
    assertThat(page.get("records")).hasSize(RECORDS);
    assertThat(page.get("records").get(0).get("sequence").asInt()).isEqualTo(10_000);
    assertThat(page.get("records").get(RECORDS - 1).get("sequence").asInt()).isEqualTo(9_501);
    assertThat(page.get("evictedUnresolved").asInt()).isEqualTo(9_500);
    assertThat(page.get("droppedEvents").asInt()).isZero();
    assertThat(page.get("truncated").asBoolean()).isTrue();
  }
}
