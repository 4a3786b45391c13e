package io.headgate.wire;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** SHA-256 where a response or a graph needs a fingerprint. Safe on any thread. */
public final class Digests {
  /**
   * 144 bits: far past accidental collision, short enough for a header on every poll, and a
   * multiple of 24 bits so that base64 needs no padding.
   */
  private static final int ETAG_BYTES = 18;

  private Digests() {}

  /** A fresh SHA-256 computation. */
  public static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /**
   * The strong entity tag of a body (L9, RFC 9110 section 8.8.3), quotes included: a truncated
   * SHA-256 of its first {@code length} bytes in URL-safe base64.
   */
  public static String etag(byte[] body, int length) {
    MessageDigest digest = sha256();
    digest.update(body, 0, length);
    byte[] encoded =
        Base64.getUrlEncoder().encode(java.util.Arrays.copyOf(digest.digest(), ETAG_BYTES));
    return '"' + new String(encoded, StandardCharsets.US_ASCII) + '"';
  }
}
