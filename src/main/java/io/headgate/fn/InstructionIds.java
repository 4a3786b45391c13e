package io.headgate.fn;

import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * Gives out ids that no gateway has given out before (F2): a random beginning for each start of a
 * gateway, and a number. On the loop.
 */
final class InstructionIds {
  /** 96 random bits: that two starts of gateways ever share them is out of the question. */
  private static final int RANDOM_BYTES = 12;

  private final String beginning;
  private long last;

  InstructionIds() {
    byte[] random = new byte[RANDOM_BYTES];
    new SecureRandom().nextBytes(random);
    beginning = HexFormat.of().formatHex(random) + "-";
  }

  String next() {
    return beginning + ++last;
  }
}
