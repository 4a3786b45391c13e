package io.headgate.timeline;

import io.headgate.wire.JsonText;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which records of a job are asked for (T13).
 *
 * @param limit how many, 1 to {@link #MAX_LIMIT}
 * @param beforeSequence only those with a lower sequence
 * @param table only those that have this table as their source or as a target, or null
 * @param outcome only those that ended so, or null
 */
public record TimelineQuery(
    int limit, long beforeSequence, @Nullable String table, @Nullable Outcome outcome) {
  public static final int DEFAULT_LIMIT = 100;
  public static final int MAX_LIMIT = 500;

  /** The newest records. */
  public static final TimelineQuery DEFAULT =
      new TimelineQuery(DEFAULT_LIMIT, Long.MAX_VALUE, null, null);

  /**
   * Reads the parameters of a request, each with all the values it was given.
   *
   * @return null if one of them is repeated or has a value it can't have: 400
   */
  public static @Nullable TimelineQuery parse(
      List<String> limit, List<String> beforeSequence, List<String> table, List<String> outcome) {
    if (limit.size() > 1 || beforeSequence.size() > 1 || table.size() > 1 || outcome.size() > 1) {
      return null;
    }
    long count = limit.isEmpty() ? DEFAULT_LIMIT : number(limit.get(0));
    long before = beforeSequence.isEmpty() ? Long.MAX_VALUE : number(beforeSequence.get(0));
    String name = table.isEmpty() ? null : table.get(0);
    Outcome ended = outcome.isEmpty() ? null : outcomeOf(outcome.get(0));
    if (count < 1
        || before < 1
        || name != null && !isTable(name)
        || ended == null && !outcome.isEmpty()) {
      return null;
    }
    return new TimelineQuery((int) Math.min(count, MAX_LIMIT), before, name, ended);
  }

  /** The number with plain digits {@code text}, the largest if it is larger, or -1. */
  private static long number(String text) {
    if (text.isEmpty() || text.length() > 1 && text.charAt(0) == '0') {
      return -1;
    }
    long value = 0;
    for (int i = 0; i < text.length(); i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      value = value > (Long.MAX_VALUE - digit) / 10 ? Long.MAX_VALUE : 10 * value + digit;
    }
    return value;
  }

  private static boolean isTable(String name) {
    return !name.isEmpty()
        && JsonText.isWellFormed(name)
        && !Texts.isLonger(name, DecisionEvent.MAX_NAME_BYTES);
  }

  private static @Nullable Outcome outcomeOf(String word) {
    for (Outcome outcome : Outcome.values()) {
      if (outcome.isOfChange() && outcome.name().equals(word)) {
        return outcome;
      }
    }
    return null;
  }

  /** Whether {@code record} is among those asked for, its sequence aside. */
  boolean matches(SchemaChangeRecord record) {
    return (outcome == null || outcome == record.verdict().outcome())
        && (table == null || hasTable(record, table));
  }

  private static boolean hasTable(SchemaChangeRecord record, String table) {
    if (table.equals(Claim.value(record.facts().sourceTable()))) {
      return true;
    }
    for (TargetId target : record.decisions().targets()) {
      if (table.equals(target.table())) {
        return true;
      }
    }
    return false;
  }
}
