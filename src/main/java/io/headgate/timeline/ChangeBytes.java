package io.headgate.timeline;

import io.headgate.wire.PackedReader;
import io.headgate.wire.PackedWriter;
import io.headgate.wire.UnreadableBytesException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A change of a timeline on its way to the owner; parts as in {@link TimelineBytes}.
 *
 * <pre>{@code
 * change:      version, kind, jobId, (freshHistory, part(event)*)?
 * observation: digest, createdAt, table?, type, nested*, nestedCut
 * decision:    jobId, reference, part(decision), sourceTable?, eventType, targetCount?
 * reference:   0, jobId, sequence, history | 1, sequence, history? | 2, digest
 * }</pre>
 */
final class ChangeBytes {
  private static final int VERSION = 1;

  private static final int OBSERVED = 1;
  private static final int DECIDED = 2;
  private static final int ENDED = 3;
  private static final int RESUMED = 4;

  private static final int BY_ID = 0;
  private static final int BY_SEQUENCE = 1;
  private static final int BY_KEY = 2;

  private ChangeBytes() {}

  static byte[] write(TimelineChange change) {
    PackedWriter out = new PackedWriter(256, TimelineBytes.CAP);
    out.octet(VERSION);
    if (change instanceof TimelineChange.Observed observed) {
      begin(OBSERVED, change, observed.freshHistory(), observed.observations().size(), out);
      observed.observations().forEach(each -> out.bytes(observation(each)));
    } else if (change instanceof TimelineChange.Decided decided) {
      begin(DECIDED, change, decided.freshHistory(), decided.events().size(), out);
      decided.events().forEach(each -> out.bytes(event(each)));
    } else {
      out.octet(change instanceof TimelineChange.Ended ? ENDED : RESUMED);
      out.number(change.jobId());
    }
    return out.toByteArray();
  }

  private static void begin(
      int kind, TimelineChange change, long freshHistory, int events, PackedWriter out) {
    out.octet(kind);
    out.number(change.jobId());
    out.signed(freshHistory);
    out.number(events);
  }

  private static byte[] observation(Observation observation) {
    PackedWriter out = new PackedWriter(128, TimelineBytes.CAP);
    Codes.digest(observation.digest(), out);
    Codes.time(observation.createdAt(), out);
    Codes.text(observation.table(), out);
    Codes.constant(observation.type(), out);
    out.number(observation.nested().size());
    observation.nested().forEach(type -> Codes.constant(type, out));
    Codes.flag(observation.nestedCut(), out);
    return out.toByteArray();
  }

  private static byte[] event(DecisionEvent event) {
    PackedWriter out = new PackedWriter(256, TimelineBytes.CAP);
    out.number(event.jobId());
    reference(event.change(), out);
    out.bytes(DecisionBytes.write(event.decision()));
    Codes.text(event.sourceTable(), out);
    Codes.constant(event.eventType(), out);
    Integer count = event.targetCount();
    out.number(count == null ? 0 : count + 1L);
    return out.toByteArray();
  }

  private static void reference(ChangeReference reference, PackedWriter out) {
    if (reference instanceof ChangeReference.ById byId) {
      out.octet(BY_ID);
      id(byId.id(), out);
    } else if (reference instanceof ChangeReference.BySequence bySequence) {
      Long history = bySequence.history();
      out.octet(BY_SEQUENCE);
      out.number(bySequence.sequence());
      Codes.flag(history != null, out);
      if (history != null) {
        out.signed(history);
      }
    } else {
      out.octet(BY_KEY);
      Codes.digest(((ChangeReference.ByKey) reference).key(), out);
    }
  }

  static void id(SchemaChangeId id, PackedWriter out) {
    out.number(id.jobId());
    out.number(id.sequence());
    out.signed(id.history());
  }

  static SchemaChangeId id(PackedReader in) {
    return new SchemaChangeId(in.number(), in.number(), in.signed());
  }

  static TimelineChange read(byte[] bytes) {
    PackedReader in = new PackedReader(bytes);
    in.octet(); // so far there is nothing that the version would have to tell
    int kind = in.octet();
    long jobId = in.number();
    return switch (kind) {
      case OBSERVED -> {
        long history = in.signed();
        yield new TimelineChange.Observed(jobId, observations(in), history);
      }
      case DECIDED -> {
        long history = in.signed();
        yield new TimelineChange.Decided(jobId, events(in), history);
      }
      case ENDED -> new TimelineChange.Ended(jobId);
      case RESUMED -> new TimelineChange.Resumed(jobId);
      default -> throw new UnreadableBytesException("an unknown kind of change");
    };
  }

  private static List<Observation> observations(PackedReader in) {
    int count = in.count(1);
    List<Observation> observations = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      observations.add(observation(in.part()));
    }
    return observations;
  }

  private static Observation observation(PackedReader in) {
    EventDigest digest = Codes.digest(in);
    long createdAt = Codes.time(in);
    String table = Codes.text(in);
    EventType type = type(in);
    List<EventType> nested = new ArrayList<>();
    for (int left = in.count(1); left > 0; left--) {
      nested.add(type(in));
    }
    return new Observation(digest, createdAt, table, type, nested, Codes.flag(in));
  }

  private static EventType type(PackedReader in) {
    EventType type = Codes.type(in);
    return type == null ? EventType.UNKNOWN : type;
  }

  private static List<DecisionEvent> events(PackedReader in) {
    int count = in.count(1);
    List<DecisionEvent> events = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      events.add(event(in.part()));
    }
    return events;
  }

  private static DecisionEvent event(PackedReader in) {
    long jobId = in.number();
    ChangeReference reference = reference(in);
    @Nullable Decision decision = DecisionBytes.read(in.part());
    if (decision == null) {
      // Results go by index, so an event of a newer member can't just be passed over.
      throw new UnreadableBytesException("a stage of a newer version");
    }
    String sourceTable = Codes.text(in);
    EventType eventType = Codes.type(in);
    long count = in.number();
    return new DecisionEvent(
        jobId, reference, decision, sourceTable, eventType, count == 0 ? null : (int) (count - 1));
  }

  private static ChangeReference reference(PackedReader in) {
    return switch (in.octet()) {
      case BY_ID -> new ChangeReference.ById(id(in));
      case BY_SEQUENCE ->
          new ChangeReference.BySequence(in.number(), Codes.flag(in) ? in.signed() : null);
      case BY_KEY -> new ChangeReference.ByKey(Codes.digest(in));
      default -> throw new UnreadableBytesException("an unknown kind of reference");
    };
  }
}
