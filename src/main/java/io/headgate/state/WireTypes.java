package io.headgate.state;

import com.hazelcast.nio.serialization.IdentifiedDataSerializable;

/** The numbers of what members send each other to be run. Never change one, never use one twice. */
final class WireTypes {
  static final int FACTORY = 1;
  static final int COUNTED_QUESTION = 1;
  static final int MOVE_NOTICE = 2;

  private WireTypes() {}

  static IdentifiedDataSerializable create(int type) {
    return switch (type) {
      case COUNTED_QUESTION -> new CountedQuestion();
      case MOVE_NOTICE -> new MoveNotice();
      default -> throw new IllegalArgumentException("unknown type on the wire: " + type);
    };
  }
}
