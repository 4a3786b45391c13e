package io.headgate.timeline.ingest;

import io.headgate.timeline.Capability;
import io.headgate.timeline.ChangeReference;
import io.headgate.timeline.DecisionEvent;
import io.headgate.timeline.EventDigest;
import io.headgate.timeline.EventType;
import io.headgate.timeline.Fault;
import io.headgate.timeline.Outcome;
import io.headgate.timeline.ReasonCode;
import io.headgate.timeline.SchemaChangeId;
import io.headgate.timeline.Stage;
import io.headgate.wire.Decimal;
import io.headgate.wire.Digests;
import io.headgate.wire.JsonCursor;
import io.headgate.wire.JsonText;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads one entry of a batch of decision events (T2): an object of members that are strings or
 * integers, null where nothing is known, and unknown ones passed over. Used once.
 */
final class DecisionEntry {
  /** The members, in the order of {@link #MEMBERS}. */
  private enum Member {
    JOB_ID("jobId"),
    SCHEMA_CHANGE_ID("schemaChangeId"),
    SOURCE_SEQUENCE("sourceSequence"),
    OBSERVATION_KEY("observationKey"),
    HISTORY_ID("historyId"),
    STAGE("stage"),
    AT("at"),
    SOURCE_TABLE("sourceTable"),
    EVENT_TYPE("eventType"),
    TARGET_COUNT("targetCount"),
    POLICY("policy"),
    CAPABILITY("capability"),
    OUTCOME("outcome"),
    REASON_CODE("reasonCode"),
    ERROR_SUMMARY("errorSummary"),
    ATTEMPT("attempt"),
    TARGET("target");

    private final String memberName;

    Member(String memberName) {
      this.memberName = memberName;
    }
  }

  private static final byte[][] MEMBERS =
      Names.of(Arrays.stream(Member.values()).map(each -> each.memberName).toArray(String[]::new));
  private static final byte[][] TARGET_PARTS = Names.of("table", "sink", "subWriter");

  /** A character has at most six bytes as an escape. */
  private static final int MAX_RAW_NAME_BYTES = 6 * (DecisionEvent.MAX_NAME_BYTES + 1);

  private static final int MAX_RAW_ERROR_BYTES = 6 * (DecisionEvent.MAX_ERROR_BYTES + 1);

  private final byte[] body;
  private final int at;
  private final @Nullable String[] texts = new String[MEMBERS.length];
  private final @Nullable String[] target = new String[TARGET_PARTS.length];
  private boolean errorCut;
  private boolean unknownReason;
  private @Nullable Fault fault;

  DecisionEntry(byte[] body, int at) {
    this.body = body;
    this.at = at;
  }

  /** The event, or null if there is a {@link #fault}. */
  @Nullable DecisionEvent read() {
    if (body[at] != '{') {
      return fault(Fault.INVALID_EVENT);
    }
    members();
    Long job = positive(Member.JOB_ID);
    if (job == null) {
      return fault(Fault.INVALID_JOB_ID);
    }
    ChangeReference change = reference();
    Stage stage = constant(Member.STAGE, Stage.values());
    if (fault != null || change == null || stage == null) {
      return fault(change == null ? Fault.INVALID_REFERENCE : Fault.INVALID_EVENT);
    }
    DecisionEvent.Builder event = DecisionEvent.of(job, change, stage);
    fill(event);
    Fault found = fault == null ? event.fault() : fault;
    return found == null ? event.build() : fault(found);
  }

  private @Nullable DecisionEvent fault(Fault found) {
    if (fault == null) {
      fault = found;
    }
    return null;
  }

  /** What is wrong with it, once it was read in vain. */
  Fault fault() {
    return fault == null ? Fault.INVALID_EVENT : fault;
  }

  /** Whether its reason is not in the list. */
  boolean hasUnknownReason() {
    return unknownReason;
  }

  private void members() {
    boolean[] seen = new boolean[MEMBERS.length];
    JsonCursor cursor = new JsonCursor(body, at);
    cursor.enter();
    for (int member; (member = cursor.nextMember(MEMBERS)) != JsonCursor.END; ) {
      if (member == JsonCursor.OTHER) {
        cursor.skip();
        continue;
      }
      if (seen[member]) {
        fault(Fault.INVALID_EVENT);
      }
      seen[member] = true;
      if (member == Member.TARGET.ordinal()) {
        target(cursor);
      } else {
        texts[member] = scalar(cursor, maxRawBytes(member));
      }
    }
  }

  private static int maxRawBytes(int member) {
    return member == Member.ERROR_SUMMARY.ordinal() ? MAX_RAW_ERROR_BYTES : MAX_RAW_NAME_BYTES;
  }

  private void target(JsonCursor cursor) {
    byte first = cursor.peek();
    if (first != '{') {
      cursor.skip();
      if (first != 'n') {
        fault(Fault.INVALID_EVENT);
      }
      return;
    }
    boolean[] seen = new boolean[TARGET_PARTS.length];
    cursor.enter();
    for (int part; (part = cursor.nextMember(TARGET_PARTS)) != JsonCursor.END; ) {
      if (part == JsonCursor.OTHER) {
        cursor.skip();
        continue;
      }
      if (seen[part]) {
        fault(Fault.INVALID_EVENT);
      }
      seen[part] = true;
      target[part] = scalar(cursor, MAX_RAW_NAME_BYTES);
    }
  }

  /** The string or integer that comes next, cut in its text, or null for null and all else. */
  private @Nullable String scalar(JsonCursor cursor, int maxRawBytes) {
    byte first = cursor.peek();
    if (first == '"') {
      cursor.readString();
      boolean cut = cursor.cutString(maxRawBytes);
      if (cut && maxRawBytes == MAX_RAW_ERROR_BYTES) {
        errorCut = true;
      } else if (cut) {
        fault(Fault.OVER_BOUND);
      }
      return cursor.string();
    }
    if (first == '-' || first >= '0' && first <= '9') {
      if (!cursor.readInteger()) {
        fault(Fault.OVER_BOUND);
        return null;
      }
      return Long.toString(cursor.integer());
    }
    cursor.skip();
    if (first != 'n') {
      fault(Fault.INVALID_EVENT);
    }
    return null;
  }

  private @Nullable String text(Member member) {
    return texts[member.ordinal()];
  }

  private @Nullable ChangeReference reference() {
    String id = text(Member.SCHEMA_CHANGE_ID);
    String key = text(Member.OBSERVATION_KEY);
    boolean bySequence = text(Member.SOURCE_SEQUENCE) != null;
    int given = (id == null ? 0 : 1) + (key == null ? 0 : 1) + (bySequence ? 1 : 0);
    if (given != 1) {
      return null;
    }
    if (id != null) {
      SchemaChangeId parsed = SchemaChangeId.parse(id);
      return parsed == null ? null : new ChangeReference.ById(parsed);
    }
    if (key != null) {
      return byKey(key);
    }
    Long sequence = positive(Member.SOURCE_SEQUENCE);
    String history = text(Member.HISTORY_ID);
    Long meant = history == null ? null : SchemaChangeId.history(history);
    return sequence == null || history != null && meant == null
        ? null
        : new ChangeReference.BySequence(sequence, meant);
  }

  private @Nullable ChangeReference byKey(String key) {
    if (!JsonText.isWellFormed(key)) {
      fault(Fault.INVALID_EVENT); // in UTF-8 half a pair would make it another key
    }
    byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > DecisionEvent.MAX_NAME_BYTES) {
      fault(Fault.OVER_BOUND);
    }
    return key.isEmpty()
        ? null
        : new ChangeReference.ByKey(EventDigest.of(Digests.sha256().digest(bytes)));
  }

  private void fill(DecisionEvent.Builder event) {
    event.sourceTable(text(Member.SOURCE_TABLE));
    event.target(target[0], target[1], target[2]);
    event.policy(text(Member.POLICY));
    event.error(text(Member.ERROR_SUMMARY), errorCut);
    event.outcome(constant(Member.OUTCOME, Outcome.values()));
    event.capability(known(Member.CAPABILITY, Capability.values(), Capability.UNKNOWN));
    event.reason(known(Member.REASON_CODE, ReasonCode.values(), ReasonCode.UNKNOWN));
    String type = text(Member.EVENT_TYPE);
    if (type != null) {
      EventType known = EventType.of(type);
      event.eventType(known);
      if (known == null) {
        fault(Fault.INVALID_EVENT);
      }
    }
    String count = text(Member.TARGET_COUNT);
    if (count != null) {
      event.targetCount(small(count));
    }
    String attempt = text(Member.ATTEMPT);
    if (attempt != null) {
      event.attempt(small(attempt));
    }
    time(event);
  }

  private void time(DecisionEvent.Builder event) {
    String when = text(Member.AT);
    if (when == null) {
      return;
    }
    if (Decimal.isCanonical(when)) {
      event.at(Long.parseLong(when));
    } else {
      event.at(when);
    }
  }

  private static int small(String text) {
    if (!Decimal.isCanonical(text)) {
      return -1;
    }
    long value = Long.parseLong(text);
    return value == (int) value ? (int) value : -1;
  }

  private @Nullable Long positive(Member member) {
    String text = text(member);
    if (text == null || !Decimal.isCanonical(text)) {
      return null;
    }
    long value = Long.parseLong(text);
    return value > 0 ? value : null;
  }

  private <E extends Enum<E>> @Nullable E constant(Member member, E[] all) {
    String word = text(member);
    for (E each : all) {
      if (each.name().equals(word)) {
        return each;
      }
    }
    if (word != null) {
      fault(Fault.INVALID_EVENT);
    }
    return null;
  }

  private <E extends Enum<E>> @Nullable E known(Member member, E[] all, E other) {
    String word = text(member);
    if (word == null) {
      return null;
    }
    for (E each : all) {
      if (each.name().equals(word)) {
        return each;
      }
    }
    unknownReason |= member == Member.REASON_CODE;
    return other;
  }
}
