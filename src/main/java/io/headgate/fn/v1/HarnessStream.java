package io.headgate.fn.v1;

import io.headgate.fn.Drop;
import io.headgate.fn.FnCore;
import io.headgate.fn.Harness;
import io.vertx.core.buffer.Buffer;

/** What the four kinds of streams have in common: an end that comes once. On the loop. */
abstract class HarnessStream implements HarnessCall.Events {
  final FnCore core;
  final Harness harness;
  final HarnessCall call;
  private Runnable whenOver = () -> {};
  private boolean over;

  HarnessStream(FnCore core, Harness harness, HarnessCall call) {
    this.core = core;
    this.harness = harness;
    this.call = call;
  }

  /** Has {@code task} run when it is over. */
  final void whenOver(Runnable task) {
    whenOver = task;
  }

  /** Takes its place at the harness; false if there is such a stream already. */
  abstract boolean open();

  /** A message came while the stream is open. */
  abstract void read(Buffer bytes) throws MalformedMessageException;

  /** A message came that can't be read, or is too large; it has been counted. */
  abstract void unreadable(HarnessCall.Ending ending);

  /** It is no longer there. */
  abstract void gone();

  @Override
  public final void message(Buffer bytes) {
    if (over) {
      return;
    }
    try {
      read(bytes);
    } catch (MalformedMessageException e) {
      core.dropped(Drop.MALFORMED, 1);
      unreadable(HarnessCall.Ending.INVALID_ARGUMENT);
    }
  }

  @Override
  public final void oversize() {
    if (!over) {
      core.dropped(Drop.OVERSIZE, 1);
      unreadable(HarnessCall.Ending.RESOURCE_EXHAUSTED);
    }
  }

  @Override
  public final void ended() {
    end(HarnessCall.Ending.OK);
  }

  /** Ends it from this side, too. */
  final void end(HarnessCall.Ending ending) {
    if (!over) {
      over = true;
      whenOver.run();
      gone();
      call.end(ending);
    }
  }
}
