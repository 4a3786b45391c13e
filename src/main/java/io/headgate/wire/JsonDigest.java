package io.headgate.wire;

import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The SHA-256 of a JSON value as a value: the order of members and the white space between tokens
 * don't count, everything else does. A member that is repeated counts each time, in its place among
 * its like. Names, strings and numbers count as they are spelled.
 *
 * <p>Writers that go by reflection put members in an order that differs from process to process, so
 * the same value may come back in other bytes. Nothing of the text is copied, but an object takes
 * memory for each of its members while it is gone through, so their number is bounded. Not
 * thread-safe.
 */
public final class JsonDigest {
  /** Members of one object. */
  public static final int MAX_MEMBERS = 1_000;

  private final byte[] text;
  private final MessageDigest digest = Digests.sha256();

  /**
   * @param text where the values stand, well-formed
   */
  public JsonDigest(byte[] text) {
    this.text = text;
  }

  private record Member(int nameFrom, int nameTo, int valueAt) {}

  /**
   * The digest of the value at {@code at}. It goes down by recursion, so the caller bounds the
   * depth.
   *
   * @return null if an object in it has more than {@link #MAX_MEMBERS}
   */
  public byte @Nullable [] of(int at) {
    digest.reset();
    return value(at) ? digest.digest() : null;
  }

  /** Takes a value in; false as soon as an object has too many members. */
  private boolean value(int at) {
    JsonCursor cursor = new JsonCursor(text, at);
    return switch (cursor.peek()) {
      case '{' -> object(cursor);
      case '[' -> array(cursor);
      default -> {
        int from = cursor.at();
        cursor.skip();
        digest.update(text, from, cursor.at() - from);
        yield true;
      }
    };
  }

  private boolean object(JsonCursor cursor) {
    List<Member> members = new ArrayList<>();
    cursor.enter();
    while (cursor.nextName()) {
      if (members.size() == MAX_MEMBERS) {
        return false;
      }
      int nameFrom = cursor.from();
      int nameTo = cursor.to();
      members.add(new Member(nameFrom, nameTo, cursor.at()));
      cursor.skip();
    }
    members.sort(this::byName);
    digest.update((byte) '{');
    for (Member member : members) {
      digest.update(text, member.nameFrom - 1, member.nameTo - member.nameFrom + 2);
      if (!value(member.valueAt)) {
        return false;
      }
      digest.update((byte) ',');
    }
    digest.update((byte) '}');
    return true;
  }

  private int byName(Member a, Member b) {
    return Arrays.compareUnsigned(text, a.nameFrom, a.nameTo, text, b.nameFrom, b.nameTo);
  }

  private boolean array(JsonCursor cursor) {
    cursor.enter();
    digest.update((byte) '[');
    while (cursor.nextElement()) {
      if (!value(cursor.at())) {
        return false;
      }
      cursor.skip();
      digest.update((byte) ',');
    }
    digest.update((byte) ']');
    return true;
  }
}
