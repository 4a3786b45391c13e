package io.headgate.timeline;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the decisions about one target say together: its latest attempt, and how it ended where it
 * did. Built for one answer.
 */
final class TargetView {
  private final TargetId target;
  private int attempt = 1;
  private @Nullable Decision capability;
  private @Nullable Decision start;
  private @Nullable Decision end;

  private TargetView(TargetId target) {
    this.target = target;
  }

  /** One view of each target that is kept, in their order. */
  static TargetView[] of(Decisions decisions) {
    Map<TargetId, TargetView> views = new TreeMap<>();
    for (TargetId target : decisions.targets()) {
      views.put(target, new TargetView(target));
    }
    for (int i = 0; i < decisions.size(); i++) {
      Decision decision = decisions.get(i);
      TargetView view = decision.target() == null ? null : views.get(decision.target());
      if (view != null) {
        view.add(decision);
      }
    }
    return views.values().toArray(TargetView[]::new);
  }

  private void add(Decision decision) {
    attempt = Math.max(attempt, decision.attempt());
    if (decision.capability() != null) {
      capability = later(capability, decision);
    }
    if (decision.stage() == Stage.APPLY_STARTED) {
      start = later(start, decision);
    }
    if (decision.ends() && (end == null || Decision.BY_END.compare(decision, end) > 0)) {
      end = decision;
    }
  }

  /** Decisions come in the order of their keys, so the last of the greatest attempt counts. */
  private static Decision later(@Nullable Decision before, Decision decision) {
    return before == null || decision.attempt() >= before.attempt() ? decision : before;
  }

  TargetId target() {
    return target;
  }

  int attempt() {
    return attempt;
  }

  @Nullable Capability capability() {
    return capability == null ? null : capability.capability();
  }

  long startedAt() {
    return start == null ? Times.NONE : start.at();
  }

  long endedAt() {
    return end == null ? Times.NONE : end.at();
  }

  @Nullable Outcome outcome() {
    return end == null ? null : end.end();
  }

  @Nullable ReasonCode reason() {
    return end == null ? null : end.reason();
  }

  @Nullable String error() {
    return end == null ? null : end.error();
  }
}
