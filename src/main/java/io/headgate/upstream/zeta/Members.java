package io.headgate.upstream.zeta;

/**
 * Whom an {@link ObjectScanner} tells of the members of the outermost object: for each its name,
 * where its value begins and ends in the chunk that is being read, and the pieces of strings in
 * between, those of deeper values too.
 */
interface Members {
  /**
   * A member begins.
   *
   * @param key holds its name, or something that is too long for the names that matter
   * @return false if the object is no use any more
   */
  boolean beginMember(byte[] key, int keyLength);

  /** The member's value begins with {@code first}, at {@code at} of the current chunk. */
  void beginValue(byte first, int at);

  /** Bytes of a string that stand for themselves. */
  void run(byte[] chunk, int from, int to);

  /** A two-character escape in a string, by its second character. */
  void escape(byte second);

  /** A {@code \}{@code uXXXX} escape in a string, by its value. */
  void unit(int value);

  /** The member's value ended before {@code end} of the current chunk. */
  void endValue(byte[] chunk, int end);

  /** The chunk is over, or the object is; a value that has not ended goes on in the next chunk. */
  void endChunk(byte[] chunk);

  /** The object is not worth reading on; nothing of it is needed any more. */
  void drop();
}
