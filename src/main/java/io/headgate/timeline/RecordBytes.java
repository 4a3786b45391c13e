package io.headgate.timeline;

import io.headgate.wire.PackedReader;
import io.headgate.wire.PackedWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The stored form of a record:
 *
 * <pre>{@code
 * record: sequence, origin, eventCreatedAt, observedAt, jobEnded, nested*, nestedCut,
 *         claim(sourceTable), claim(eventType), claim(policy), claim(targetCount),
 *         cutStages, attemptsCut, part(decision)*, part(target)*
 * claim:  0 | 1, priority, at, value
 * target: digest, named, started, attempt, completed, outcome, at, reason
 * }</pre>
 */
final class RecordBytes {
  private RecordBytes() {}

  static byte[] write(SchemaChangeRecord record) {
    PackedWriter out = new PackedWriter(256, TimelineBytes.CAP);
    SchemaChangeRecord.Facts facts = record.facts();
    out.number(facts.sequence());
    Codes.digest(facts.origin(), out);
    Codes.time(facts.eventCreatedAt(), out);
    Codes.time(facts.observedAt(), out);
    Codes.time(facts.jobEnded(), out);
    out.number(facts.nested().size());
    facts.nested().forEach(type -> Codes.constant(type, out));
    Codes.flag(facts.nestedCut(), out);
    claim(facts.sourceTable(), out);
    claim(facts.eventType(), out);
    claim(facts.policy(), out);
    claim(facts.targetCount(), out);
    Decisions decisions = record.decisions();
    out.number(decisions.cutStages());
    Codes.flag(decisions.attemptsCut(), out);
    out.number(decisions.size());
    for (int i = 0; i < decisions.size(); i++) {
      out.bytes(DecisionBytes.write(decisions.get(i)));
    }
    Targets targets = record.targets();
    out.number(targets.size());
    for (int i = 0; i < targets.size(); i++) {
      out.bytes(target(targets.get(i)));
    }
    return out.toByteArray();
  }

  private static void claim(@Nullable Claim<?> claim, PackedWriter out) {
    Codes.flag(claim != null, out);
    if (claim == null) {
      return;
    }
    out.number(claim.priority());
    Codes.time(claim.at(), out);
    Object value = claim.value();
    if (value instanceof String text) {
      out.text(text);
    } else if (value instanceof EventType type) {
      Codes.constant(type, out);
    } else {
      out.number((Integer) value);
    }
  }

  private static byte[] target(TargetState state) {
    PackedWriter out = new PackedWriter(32, TimelineBytes.CAP);
    out.signed(state.target());
    out.number(state.named());
    Codes.flag(state.started(), out);
    out.number(state.attempt());
    Codes.flag(state.completed(), out);
    Codes.constant(state.outcome(), out);
    Codes.time(state.at(), out);
    Codes.constant(state.reason(), out);
    return out.toByteArray();
  }

  static SchemaChangeRecord read(PackedReader in) {
    long sequence = in.number();
    EventDigest origin = Codes.digest(in);
    long createdAt = Codes.time(in);
    long observedAt = Codes.time(in);
    long jobEnded = Codes.time(in);
    List<EventType> nested = types(in);
    boolean nestedCut = Codes.flag(in);
    SchemaChangeRecord.Facts facts =
        new SchemaChangeRecord.Facts(
            sequence,
            origin,
            createdAt,
            observedAt,
            nested,
            nestedCut,
            jobEnded,
            Codes.flag(in) ? new Claim<>(priority(in), Codes.time(in), in.text()) : null,
            Codes.flag(in) ? new Claim<>(priority(in), Codes.time(in), type(in)) : null,
            Codes.flag(in) ? new Claim<>(priority(in), Codes.time(in), in.text()) : null,
            Codes.flag(in) ? new Claim<>(priority(in), Codes.time(in), (int) in.number()) : null);
    int cutStages = (int) in.number();
    boolean attemptsCut = Codes.flag(in);
    return new SchemaChangeRecord(
        facts, Decisions.stored(decisions(in), cutStages, attemptsCut), targets(in));
  }

  private static List<EventType> types(PackedReader in) {
    int count = in.count(1);
    List<EventType> types = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      types.add(type(in));
    }
    return types;
  }

  private static EventType type(PackedReader in) {
    EventType type = Codes.type(in);
    return type == null ? EventType.UNKNOWN : type;
  }

  private static int priority(PackedReader in) {
    return (int) in.number();
  }

  private static Decision[] decisions(PackedReader in) {
    int count = in.count(1);
    List<Decision> decisions = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      Decision decision = DecisionBytes.read(in.part());
      if (decision != null) {
        decisions.add(decision);
      }
    }
    return decisions.toArray(Decision[]::new);
  }

  private static Targets targets(PackedReader in) {
    TargetState[] states = new TargetState[in.count(1)];
    for (int i = 0; i < states.length; i++) {
      PackedReader part = in.part();
      states[i] =
          new TargetState(
              part.signed(),
              (int) part.number(),
              Codes.flag(part),
              (int) part.number(),
              Codes.flag(part),
              Codes.outcome(part),
              Codes.time(part),
              Codes.reason(part));
    }
    return new Targets(states);
  }
}
