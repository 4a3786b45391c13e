package io.headgate.fn.v1;

import io.vertx.core.buffer.Buffer;
import org.jspecify.annotations.Nullable;

/** One gRPC call of a harness, with the bytes of messages both ways. On the loop. */
public interface HarnessCall {
  /** How the gateway ends a call. */
  enum Ending {
    /** The harness ended its side first. */
    OK,
    /** The worker id is no usable one, or a message can't be read. */
    INVALID_ARGUMENT,
    /** The harness has such a stream. */
    ALREADY_EXISTS,
    /** The id belongs to another subject. */
    PERMISSION_DENIED,
    /** Too many harnesses, or a message too large. */
    RESOURCE_EXHAUSTED,
    /** The gateway is stopping. */
    UNAVAILABLE
  }

  /** What happens on a call; after {@code ended} nothing does. */
  interface Events {
    /** A message came. Its bytes are handed over. */
    void message(Buffer bytes);

    /** A message past the limit came; its bytes are not kept. */
    void oversize();

    /** The call has room for messages again, after it had none. */
    void roomAgain();

    /** The harness ended its side, or the call broke, or the gateway ended it. */
    void ended();
  }

  /** What the harness calls itself; empty if it does not say. */
  String workerId();

  /** Whose token came with the call, or null if none is asked for. */
  @Nullable String subject();

  /** Begins to listen, and lets the harness know that it is let in. Once. */
  void listen(Events events);

  /** Whether few enough bytes wait to be written. */
  boolean hasRoom();

  /** Sends a message. Does nothing once the call has ended. */
  default void send(Buffer message) {
    send(message, Buffer.buffer(0));
  }

  /**
   * Sends a message in two parts, so that a large one need not be put together first. Does nothing
   * once the call has ended. The parts are handed over.
   */
  void send(Buffer head, Buffer rest);

  /** Takes no more bytes, but for what is on its way already. */
  void pause();

  /** Takes bytes again. */
  void resume();

  /** Ends the call. Does nothing once it has ended. */
  void end(Ending ending);
}
