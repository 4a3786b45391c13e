package io.headgate.timeline;

import io.headgate.wire.CappedBuffer;
import io.headgate.wire.JsonText;
import org.jspecify.annotations.Nullable;

/** Writes records as JSON into the page they belong to. Confined to one page. */
final class RecordWriter {
  private static final Stage[] STAGES = Stage.values();

  private final Timeline timeline;
  private final boolean errorSummaries;
  private final CappedBuffer out;

  private boolean lastCut;
  private boolean anyCut;

  RecordWriter(Timeline timeline, boolean errorSummaries, CappedBuffer out) {
    this.timeline = timeline;
    this.errorSummaries = errorSummaries;
    this.out = out;
  }

  /** Says that the record written last stays in the page. */
  void keep() {
    anyCut |= lastCut;
  }

  /** Whether something was left out of a record that stays. */
  boolean anyCut() {
    return anyCut;
  }

  void write(SchemaChangeRecord record) {
    SchemaChangeRecord.Facts facts = record.facts();
    Verdict verdict = record.verdict();
    lastCut = record.cut();
    out.putAscii("{\"schemaChangeId\":\"");
    out.putAscii(timeline.id(record).toString());
    out.putAscii("\",\"sequence\":");
    out.putDecimal(facts.sequence());
    out.putAscii(",\"jobId\":\"");
    out.putDecimal(timeline.jobId());
    out.putAscii("\",\"eventCreatedAt\":");
    Times.write(facts.eventCreatedAt(), out);
    out.putAscii(",\"observedAt\":");
    Times.write(facts.observedAt(), out);
    out.putAscii(",\"completedAt\":");
    Times.write(verdict.at(), out);
    text(",\"sourceTable\":", Claim.value(facts.sourceTable()));
    constant(",\"eventType\":", Claim.value(facts.eventType()));
    nested(facts);
    constant(",\"state\":", verdict.terminal() ? State.TERMINAL : State.IN_PROGRESS);
    constant(",\"outcome\":", verdict.outcome());
    constant(",\"reasonCode\":", verdict.reason());
    String policy = Claim.value(facts.policy());
    text(",\"policy\":", policy == null ? "NOT_EVALUATED" : policy);
    decisions(record.decisions());
    targets(record);
    out.putAscii(",\"detailsTruncated\":");
    out.putAscii(lastCut ? "true" : "false");
    unavailable(record.decisions());
    out.put((byte) '}');
  }

  private enum State {
    IN_PROGRESS,
    TERMINAL
  }

  private void nested(SchemaChangeRecord.Facts facts) {
    out.putAscii(",\"nestedTypes\":[");
    for (int i = 0; i < facts.nested().size(); i++) {
      constant(i == 0 ? "" : ",", facts.nested().get(i));
    }
    out.put((byte) ']');
  }

  private void decisions(Decisions decisions) {
    out.putAscii(",\"decisions\":[");
    for (int i = 0; i < decisions.size(); i++) {
      if (i > 0) {
        out.put((byte) ',');
      }
      decision(decisions.get(i));
    }
    out.put((byte) ']');
  }

  private void decision(Decision decision) {
    constant("{\"stage\":", decision.stage());
    out.putAscii(",\"at\":");
    Times.write(decision.at(), out);
    out.putAscii(",\"attempt\":");
    out.putDecimal(decision.attempt());
    TargetId target = decision.target();
    if (target == null) {
      out.putAscii(",\"target\":null");
    } else {
      out.putAscii(",\"target\":{");
      names(target);
      out.put((byte) '}');
    }
    text(",\"policy\":", decision.policy());
    constant(",\"capability\":", decision.capability());
    constant(",\"outcome\":", decision.outcome());
    constant(",\"reasonCode\":", decision.reason());
    text(",\"errorSummary\":", errorSummaries ? decision.error() : null);
    out.put((byte) '}');
  }

  private void names(TargetId target) {
    text("\"table\":", target.table());
    text(",\"sink\":", target.sink());
    text(",\"subWriter\":", target.subWriter());
  }

  private void targets(SchemaChangeRecord record) {
    out.putAscii(",\"targets\":[");
    TargetView[] views = TargetView.of(record.decisions());
    for (int i = 0; i < views.length; i++) {
      if (i > 0) {
        out.put((byte) ',');
      }
      target(views[i]);
    }
    boolean cut = record.decisions().targetsCut();
    out.putAscii("],\"targetCount\":");
    Integer count = Claim.value(record.facts().targetCount());
    if (count == null && cut) {
      count = record.targets().size(); // the list doesn't tell how many were named (T10)
    }
    if (count == null) {
      out.putAscii("null");
    } else {
      out.putDecimal(count);
    }
    out.putAscii(",\"targetsTruncated\":");
    out.putAscii(cut ? "true" : "false");
  }

  private void target(TargetView view) {
    out.put((byte) '{');
    names(view.target());
    out.putAscii(",\"attempt\":");
    out.putDecimal(view.attempt());
    constant(",\"capability\":", view.capability());
    out.putAscii(",\"applyStartedAt\":");
    Times.write(view.startedAt(), out);
    out.putAscii(",\"completedAt\":");
    Times.write(view.endedAt(), out);
    constant(",\"outcome\":", view.outcome());
    constant(",\"reasonCode\":", view.reason());
    text(",\"errorSummary\":", errorSummaries ? view.error() : null);
    out.put((byte) '}');
  }

  /** The stages that nobody has reported; that says nothing of what happened (T13). */
  private void unavailable(Decisions decisions) {
    int reported = decisions.stages();
    out.putAscii(",\"unavailableStages\":[");
    String comma = "";
    for (Stage stage : STAGES) {
      if ((reported & Decisions.bit(stage)) == 0) {
        constant(comma, stage);
        comma = ",";
      }
    }
    out.put((byte) ']');
  }

  private void constant(String before, @Nullable Enum<?> constant) {
    out.putAscii(before);
    if (constant == null) {
      out.putAscii("null");
      return;
    }
    out.put((byte) '"');
    out.putAscii(constant.name());
    out.put((byte) '"');
  }

  private void text(String before, @Nullable String text) {
    out.putAscii(before);
    if (text == null) {
      out.putAscii("null");
    } else {
      JsonText.writeQuoted(text, JsonText.isPlain(text), out);
    }
  }
}
