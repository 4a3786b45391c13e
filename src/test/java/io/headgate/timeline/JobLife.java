package io.headgate.timeline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headgate.wire.CappedBuffer;
import io.headgate.wire.Digests;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One job in a test: what is reported of it goes in, and what can be read of it comes out. */
public final class JobLife {
  public static final long JOB = 1_179_723_906_420_834_305L;
  static final long HISTORY = 0x0123_4567_89AB_CDEFL;

  /** The first moment of every life: 2026-11-30T10:00:00Z. */
  static final long BEGIN = 1_796_032_800_000L;

  private static final ObjectMapper TREES = new ObjectMapper();
  private static final int CAP = 64 * 1024 * 1024;

  final TimelineLimits limits;
  long now = BEGIN;
  private @Nullable Timeline timeline;

  public JobLife() {
    this(TimelineLimits.DEFAULT);
  }

  JobLife(TimelineLimits limits) {
    this.limits = limits;
  }

  /** Another life with the same past. */
  public JobLife copy() {
    JobLife copy = new JobLife(limits);
    copy.now = now;
    copy.timeline = timeline;
    return copy;
  }

  public Receipt apply(TimelineChange change) {
    Applied applied = Timeline.apply(timeline, change, now, limits);
    timeline = applied.timeline();
    return applied.receipt();
  }

  public Receipt observe(List<Observation> observations) {
    return apply(new TimelineChange.Observed(JOB, observations, HISTORY));
  }

  Receipt observe(Observation... observations) {
    return observe(Arrays.asList(observations));
  }

  Receipt decide(DecisionEvent... events) {
    return decide(Arrays.asList(events));
  }

  public Receipt decide(List<DecisionEvent> events) {
    return apply(new TimelineChange.Decided(JOB, events, HISTORY));
  }

  public Receipt end() {
    return apply(new TimelineChange.Ended(JOB));
  }

  Receipt resume() {
    return apply(new TimelineChange.Resumed(JOB));
  }

  public boolean exists() {
    return timeline != null;
  }

  public Timeline timeline() {
    if (timeline == null) {
      throw new AssertionError("the job has no timeline");
    }
    return timeline;
  }

  void become(Timeline other) {
    timeline = other;
  }

  public JsonNode page() {
    return page(new TimelineQuery(500, Long.MAX_VALUE, null, null));
  }

  JsonNode page(TimelineQuery query) {
    return tree(TimelinePage.write(timeline(), query, true, CAP));
  }

  public String json(boolean errorSummaries) {
    return text(
        TimelinePage.write(
            timeline(), new TimelineQuery(500, Long.MAX_VALUE, null, null), errorSummaries, CAP));
  }

  /** The record with the sequence {@code sequence}, as an answer gives it. */
  public JsonNode record(long sequence) {
    for (JsonNode record : page().get("records")) {
      if (record.get("sequence").asLong() == sequence) {
        return record;
      }
    }
    throw new AssertionError("no record " + sequence + " in " + page());
  }

  public List<Long> sequences() {
    return sequences(page());
  }

  static List<Long> sequences(JsonNode page) {
    List<Long> sequences = new ArrayList<>();
    page.get("records").forEach(record -> sequences.add(record.get("sequence").asLong()));
    return sequences;
  }

  public static JsonNode tree(CappedBuffer json) {
    try {
      return TREES.readTree(json.toByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String text(CappedBuffer json) {
    return new String(json.toByteArray(), StandardCharsets.UTF_8);
  }

  /** The {@code number}th event of an engine; equal numbers are equal events. */
  static Observation event(int number) {
    return new Observation(
        digest("event " + number),
        BEGIN + number,
        "shop.orders",
        EventType.SCHEMA_CHANGE_UPDATE_COLUMNS,
        List.of(EventType.SCHEMA_CHANGE_ADD_COLUMN),
        false);
  }

  static List<Observation> events(int from, int to) {
    return IntStream.rangeClosed(from, to).mapToObj(JobLife::event).toList();
  }

  static EventDigest digest(String text) {
    return EventDigest.of(Digests.sha256().digest(text.getBytes(StandardCharsets.UTF_8)));
  }

  static SchemaChangeId id(long sequence) {
    return new SchemaChangeId(JOB, sequence, HISTORY);
  }

  /** Begins a decision on the change with the sequence {@code sequence}. */
  static DecisionEvent.Builder on(long sequence, Stage stage) {
    return DecisionEvent.of(JOB, new ChangeReference.ById(id(sequence)), stage)
        .at(BEGIN + 1_000L * stage.ordinal());
  }

  /** Begins a decision on a change that a reporter was the first to see. */
  static DecisionEvent.Builder first(String key, Stage stage) {
    return DecisionEvent.of(JOB, new ChangeReference.ByKey(digest(key)), stage);
  }

  static DecisionEvent resolved(long sequence, String table, int count) {
    return on(sequence, Stage.TARGET_RESOLVED).target(table, null, null).targetCount(count).build();
  }

  static DecisionEvent resolved(long sequence, int count) {
    return on(sequence, Stage.TARGET_RESOLVED).targetCount(count).build();
  }

  static DecisionEvent started(long sequence, String table) {
    return on(sequence, Stage.APPLY_STARTED).target(table, null, null).build();
  }

  static DecisionEvent completed(long sequence, String table, Outcome outcome) {
    return on(sequence, Stage.COMPLETED)
        .target(table, null, null)
        .outcome(outcome)
        .reason(reason(outcome))
        .build();
  }

  private static ReasonCode reason(Outcome outcome) {
    return switch (outcome) {
      case APPLIED -> ReasonCode.APPLY_SUCCEEDED;
      case FAILED -> ReasonCode.SINK_APPLY_FAILED;
      case IGNORED -> ReasonCode.POLICY_IGNORE;
      case FILTERED -> ReasonCode.TRANSFORM_EVENT_FILTER;
      default -> ReasonCode.UNKNOWN;
    };
  }
}
