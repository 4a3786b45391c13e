package io.headgate.timeline;

import io.headgate.wire.JsonText;
import org.jspecify.annotations.Nullable;

/**
 * One decision that a transform, router, policy or sink reports (T2, T3): what was decided on which
 * change of which job. Immutable and within all bounds; {@link #of} makes one.
 */
public final class DecisionEvent {
  /** Bytes of a table, a sink, a sub-writer or a reporter's key in UTF-8. */
  public static final int MAX_NAME_BYTES = 1_024;

  /** Bytes of an error summary in UTF-8; more is cut (T10). */
  public static final int MAX_ERROR_BYTES = 4_096;

  /** A policy is a word of a list that grows with the engine, not free text. */
  private static final int MAX_POLICY_LENGTH = 64;

  private final long jobId;
  private final ChangeReference change;
  private final Decision decision;
  private final @Nullable String sourceTable;
  private final @Nullable EventType eventType;
  private final @Nullable Integer targetCount;

  DecisionEvent(
      long jobId,
      ChangeReference change,
      Decision decision,
      @Nullable String sourceTable,
      @Nullable EventType eventType,
      @Nullable Integer targetCount) {
    this.jobId = jobId;
    this.change = change;
    this.decision = decision;
    this.sourceTable = sourceTable;
    this.eventType = eventType;
    this.targetCount = targetCount;
  }

  /** Begins an event of {@code jobId} on {@code change}. */
  public static Builder of(long jobId, ChangeReference change, Stage stage) {
    return new Builder(jobId, change, stage);
  }

  /** The engine's id of the job. */
  public long jobId() {
    return jobId;
  }

  /** Which change it is about. */
  public ChangeReference change() {
    return change;
  }

  Decision decision() {
    return decision;
  }

  @Nullable String sourceTable() {
    return sourceTable;
  }

  @Nullable EventType eventType() {
    return eventType;
  }

  /** How many targets there are, if this resolved them. */
  @Nullable Integer targetCount() {
    return targetCount;
  }

  /** What it counts for where it waits, in bytes; at least what it takes on the heap. */
  public int cost() {
    TargetId about = decision.target();
    return 200 + Cost.of(sourceTable) + decision.cost() + (about == null ? 0 : about.cost());
  }

  /** Collects what an event says. What is not given was not reported. Not thread-safe. */
  public static final class Builder {
    private final long jobId;
    private final ChangeReference change;
    private final Stage stage;
    private long at = Times.NONE;
    private @Nullable String sourceTable;
    private @Nullable EventType eventType;
    private @Nullable TargetId target;
    private @Nullable Integer targetCount;
    private @Nullable String policy;
    private @Nullable Capability capability;
    private @Nullable Outcome outcome;
    private @Nullable ReasonCode reason;
    private @Nullable String error;
    private boolean errorCut;
    private int attempt = 1;
    private @Nullable Fault fault;

    private Builder(long jobId, ChangeReference change, Stage stage) {
      this.jobId = jobId;
      this.change = change;
      this.stage = stage;
      if (jobId < 1) {
        fault(Fault.INVALID_JOB_ID);
      }
      if (change instanceof ChangeReference.ById byId && byId.id().jobId() != jobId) {
        fault(Fault.INVALID_REFERENCE);
      }
    }

    private void fault(Fault found) {
      if (fault == null) {
        fault = found;
      }
    }

    /** When it was decided, in milliseconds since 1970. */
    public Builder at(long millis) {
      if (!Times.isUsable(millis)) {
        fault(Fault.OVER_BOUND);
      }
      at = millis;
      return this;
    }

    /** The same in ISO 8601 with an offset, such as {@code 2026-11-30T09:41:54.123Z}. */
    public Builder at(String text) {
      at = Times.parse(text);
      if (at == Times.NONE) {
        fault(Fault.INVALID_EVENT);
      }
      return this;
    }

    /** The table at the source. */
    public Builder sourceTable(@Nullable String table) {
      sourceTable = name(table);
      return this;
    }

    /** What kind of change it is. */
    public Builder eventType(@Nullable EventType type) {
      eventType = type;
      return this;
    }

    /** Which target it is about; what is not known is null. */
    public Builder target(
        @Nullable String table, @Nullable String sink, @Nullable String subWriter) {
      boolean named = table != null || sink != null || subWriter != null;
      target = named ? new TargetId(name(table), name(sink), name(subWriter)) : null;
      return this;
    }

    /** How many targets the change has; it counts with {@link Stage#TARGET_RESOLVED} only. */
    public Builder targetCount(int count) {
      if (count < 0) {
        fault(Fault.OVER_BOUND);
      }
      targetCount = count;
      return this;
    }

    /** The configured behaviour: a word of capital letters, digits and underscores. */
    public Builder policy(@Nullable String word) {
      if (word != null && !isWord(word)) {
        fault(Fault.INVALID_EVENT);
      }
      policy = word;
      return this;
    }

    /** What the sink can do. */
    public Builder capability(@Nullable Capability found) {
      capability = found;
      return this;
    }

    /** How it ended; {@link Outcome#PARTIALLY_APPLIED} is not for a single decision. */
    public Builder outcome(@Nullable Outcome ended) {
      if (ended != null && !ended.isOfTarget()) {
        fault(Fault.INVALID_EVENT);
      }
      outcome = ended;
      return this;
    }

    /** Why. */
    public Builder reason(@Nullable ReasonCode code) {
      reason = code;
      return this;
    }

    /** What the sink said; cut to {@link #MAX_ERROR_BYTES} at the border of a character. */
    public Builder error(@Nullable String summary) {
      return error(summary, false);
    }

    /** The same of a summary that may have been cut before. */
    public Builder error(@Nullable String summary, boolean cutBefore) {
      String kept = summary == null ? null : Texts.beginning(summary, MAX_ERROR_BYTES);
      error = kept;
      errorCut = cutBefore || kept != null && !kept.equals(summary);
      return this;
    }

    /** Which attempt it belongs to, from 1 on. */
    public Builder attempt(int number) {
      if (number < 1) {
        fault(Fault.OVER_BOUND);
      }
      attempt = number;
      return this;
    }

    private @Nullable String name(@Nullable String name) {
      if (name != null && !JsonText.isWellFormed(name)) {
        fault(Fault.INVALID_EVENT);
      } else if (name != null && Texts.isLonger(name, MAX_NAME_BYTES)) {
        fault(Fault.OVER_BOUND);
      }
      return name;
    }

    private static boolean isWord(String word) {
      if (word.isEmpty() || word.length() > MAX_POLICY_LENGTH) {
        return false;
      }
      return word.chars().allMatch(c -> c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_');
    }

    /** What is wrong with it, or null. */
    public @Nullable Fault fault() {
      return fault;
    }

    /**
     * The event.
     *
     * @throws IllegalStateException if there is a {@link #fault}
     */
    public DecisionEvent build() {
      if (fault != null) {
        throw new IllegalStateException("an event with a fault: " + fault);
      }
      TargetId about = target == null && stage.isApplication() ? TargetId.UNNAMED : target;
      Integer count = stage == Stage.TARGET_RESOLVED ? targetCount : null;
      Decision decision =
          new Decision(
              stage, about, attempt, at, policy, capability, outcome, reason, error, errorCut);
      return new DecisionEvent(jobId, change, decision, sourceTable, eventType, count);
    }
  }
}
