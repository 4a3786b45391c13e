package io.headgate.observe.access;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Lines on a stream that somebody else closes, such as standard output. */
public final class StreamOutput implements LineOutput {
  private final PrintStream stream;

  public StreamOutput(PrintStream stream) {
    this.stream = stream;
  }

  /** It stands in a terminal, as a rule, together with what the program says of itself. */
  @Override
  public boolean isReadAlong() {
    return true;
  }

  @Override
  public void write(StringBuilder lines) throws IOException {
    byte[] bytes = lines.toString().getBytes(StandardCharsets.US_ASCII);
    stream.write(bytes, 0, bytes.length);
    stream.flush();
    if (stream.checkError()) {
      throw new IOException("the stream takes no more");
    }
  }
}
