package io.headgate.timeline;

import io.headgate.wire.PackedReader;
import io.headgate.wire.PackedWriter;
import org.jspecify.annotations.Nullable;

/**
 * The stored form of decisions, each a part of its own:
 *
 * <pre>{@code
 * decision: stage, target?(table?, sink?, subWriter?), attempt, at, policy?, capability, outcome,
 *           reason, error?, errorCut
 * }</pre>
 */
final class DecisionBytes {
  private DecisionBytes() {}

  static byte[] write(Decision decision) {
    PackedWriter out = new PackedWriter(64, TimelineBytes.CAP);
    Codes.constant(decision.stage(), out);
    TargetId target = decision.target();
    Codes.flag(target != null, out);
    if (target != null) {
      Codes.text(target.table(), out);
      Codes.text(target.sink(), out);
      Codes.text(target.subWriter(), out);
    }
    out.number(decision.attempt());
    Codes.time(decision.at(), out);
    Codes.text(decision.policy(), out);
    Codes.constant(decision.capability(), out);
    Codes.constant(decision.outcome(), out);
    Codes.constant(decision.reason(), out);
    Codes.text(decision.error(), out);
    Codes.flag(decision.errorCut(), out);
    return out.toByteArray();
  }

  /** A decision, or null for one at a stage of a newer version. */
  static @Nullable Decision read(PackedReader in) {
    Stage stage = Codes.stage(in);
    TargetId target =
        Codes.flag(in) ? new TargetId(Codes.text(in), Codes.text(in), Codes.text(in)) : null;
    int attempt = (int) in.number();
    long at = Codes.time(in);
    String policy = Codes.text(in);
    Capability capability = Codes.capability(in);
    Outcome outcome = Codes.outcome(in);
    ReasonCode reason = Codes.reason(in);
    String error = Codes.text(in);
    boolean cut = Codes.flag(in);
    if (stage == null) {
      return null;
    }
    return new Decision(
        stage, target, attempt, at, policy, capability, outcome, reason, error, cut);
  }
}
