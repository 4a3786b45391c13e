package io.headgate.fn;

import io.headgate.state.StateCell;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Continuation tokens of state reads: a position and a code that only this gateway can compute,
 * over bundle, cell and position (F7). So a token of another bundle, of another cell, of a value
 * that has been cleared since, or one that somebody made up is told from one that was given out,
 * and nothing has to be remembered. On the loop.
 */
final class ContinuationTokens {
  private static final String ALGORITHM = "HmacSHA256";
  private static final int POSITION_BYTES = 8;

  /** 128 bits of the code: nobody guesses one. */
  private static final int CODE_BYTES = 16;

  private final Mac mac;

  ContinuationTokens() {
    byte[] secret = new byte[32];
    new SecureRandom().nextBytes(secret);
    try {
      mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret, ALGORITHM));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }

  /**
   * The token of a page.
   *
   * @param generation changes when the cell is cleared
   */
  byte[] issue(String bundle, StateCell cell, int generation, long position) {
    return ByteBuffer.allocate(POSITION_BYTES + CODE_BYTES)
        .putLong(position)
        .put(code(bundle, cell, generation, position), 0, CODE_BYTES)
        .array();
  }

  /** The position of a token given out for these, or -1 for any other token. */
  long position(byte[] token, String bundle, StateCell cell, int generation) {
    if (token.length != POSITION_BYTES + CODE_BYTES) {
      return -1;
    }
    long position = ByteBuffer.wrap(token).getLong();
    byte[] expected = Arrays.copyOf(code(bundle, cell, generation, position), CODE_BYTES);
    byte[] given = Arrays.copyOfRange(token, POSITION_BYTES, token.length);
    return MessageDigest.isEqual(expected, given) ? position : -1;
  }

  private byte[] code(String bundle, StateCell cell, int generation, long position) {
    byte[] id = bundle.getBytes(StandardCharsets.UTF_8);
    mac.update(
        ByteBuffer.allocate(16).putInt(id.length).putInt(generation).putLong(position).flip());
    mac.update(id);
    return mac.doFinal(cell.toBytes());
  }
}
