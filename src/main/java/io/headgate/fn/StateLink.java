package io.headgate.fn;

/** The gateway's end of a harness's State stream. On the loop. */
public interface StateLink {
  /** Whether the stream takes another answer now; {@link Harness#stateHasRoom} says when. */
  boolean hasRoom();

  /** Answers the request of this id. */
  void answer(String request, StateAnswer answer);

  /** Takes no more requests, but for what is on its way already. */
  void pause();

  /** Takes requests again. */
  void resume();
}
