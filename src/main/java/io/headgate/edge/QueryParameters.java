package io.headgate.edge;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a raw query, decoded as forms are: percent signs, and a plus for a space. What
 * can't be decoded, or is not UTF-8, stands there as a value that no parameter may have. Bounded by
 * the request line's length; on the event loop of the request.
 */
final class QueryParameters {
  /** No text in UTF-8 has half of a pair. */
  private static final String UNDECODABLE = "\uD800";

  private final List<String> names = new ArrayList<>();
  private final List<String> values = new ArrayList<>();

  /**
   * @param query what stands behind the question mark, or null
   */
  QueryParameters(@Nullable String query) {
    if (query == null) {
      return;
    }
    for (String pair : query.split("&", -1)) {
      int equals = pair.indexOf('=');
      names.add(decoded(equals < 0 ? pair : pair.substring(0, equals)));
      values.add(equals < 0 ? "" : decoded(pair.substring(equals + 1)));
    }
  }

  /** Whether {@code name} was given at most once, and no value that can't be decoded. */
  boolean isUsable(String name) {
    List<String> given = all(name);
    return given.isEmpty() || given.size() == 1 && !given.get(0).equals(UNDECODABLE);
  }

  /** Every value that {@code name} was given, in order. */
  List<String> all(String name) {
    List<String> given = new ArrayList<>(1);
    for (int i = 0; i < names.size(); i++) {
      if (names.get(i).equals(name)) {
        given.add(values.get(i));
      }
    }
    return given;
  }

  private static String decoded(String raw) {
    return Objects.requireNonNullElse(PercentText.decoded(raw, true), UNDECODABLE);
  }
}
