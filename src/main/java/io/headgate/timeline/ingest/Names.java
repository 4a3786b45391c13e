package io.headgate.timeline.ingest;

import java.nio.charset.StandardCharsets;

/** Names of members, as a cursor takes them. */
final class Names {
  private Names() {}

  static byte[][] of(String... names) {
    byte[][] bytes = new byte[names.length][];
    for (int i = 0; i < names.length; i++) {
      bytes[i] = names[i].getBytes(StandardCharsets.US_ASCII);
    }
    return bytes;
  }
}
