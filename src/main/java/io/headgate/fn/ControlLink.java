package io.headgate.fn;

import io.vertx.core.buffer.Buffer;
import java.util.List;

/** The gateway's end of a harness's Control stream: instructions down. On the loop. */
public interface ControlLink {
  /** Whether the stream takes another instruction now; if not, the harness does not read. */
  boolean hasRoom();

  /** Makes a descriptor known, given as the bytes of its message. */
  void register(String instruction, Buffer descriptor);

  /** Starts a bundle. */
  void process(String instruction, String descriptorId, List<CacheToken> tokens);

  /** Asks how far a bundle is. */
  void progress(String instruction, String bundle);

  /** Asks for a part of a bundle back. */
  void split(String instruction, String bundle, double fraction);

  /**
   * What a harness may reuse of state that it read earlier; passed through.
   *
   * @param port the transform, and which of its states
   */
  record CacheToken(PortId port, Buffer token) {}
}
