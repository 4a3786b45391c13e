package io.headgate.timeline;

import java.nio.ByteBuffer;

/**
 * Half a SHA-256: what the timeline remembers of an event it has seen, or of a key that a client
 * has chosen. 128 bits keep an accidental pair out of reach and four thousand of them small.
 */
public record EventDigest(long high, long low) {
  /** The first 16 bytes of a SHA-256. */
  public static EventDigest of(byte[] sha256) {
    ByteBuffer bytes = ByteBuffer.wrap(sha256);
    return new EventDigest(bytes.getLong(), bytes.getLong());
  }
}
