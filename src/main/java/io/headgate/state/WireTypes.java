package io.headgate.state;

import com.hazelcast.nio.serialization.IdentifiedDataSerializable;

/** The numbers of what members send each other to be run. Never change one, never use one twice. */
final class WireTypes {
  static final int FACTORY = 1;
  static final int COUNTED_QUESTION = 1;

  private WireTypes() {}

  static IdentifiedDataSerializable create(int type) {
    if (type == COUNTED_QUESTION) {
      return new CountedQuestion();
    }
    throw new IllegalArgumentException("unknown type on the wire: " + type);
  }
}
