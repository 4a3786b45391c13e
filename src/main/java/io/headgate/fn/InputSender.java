package io.headgate.fn;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Shares a harness's Data stream among the inputs that have something to send: a message each in
 * turn, while the stream has room. On the loop.
 */
final class InputSender {
  private final FnMeters meters;
  private final Set<InputPort> ready = new LinkedHashSet<>();
  private @Nullable DataLink link;
  private boolean sending;

  InputSender(FnMeters meters) {
    this.meters = meters;
  }

  /** A new stream, or none. */
  void use(@Nullable DataLink other) {
    link = other;
    send();
  }

  /** Something may have changed for {@code port}. */
  void ready(InputPort port) {
    if (port.isReady() && ready.add(port)) {
      send();
    }
  }

  /** Nothing of {@code port} is to be sent any more. */
  void forget(InputPort port) {
    ready.remove(port);
  }

  /** Sends while there is room. A writer that writes on being told so does not nest. */
  void send() {
    if (sending) {
      return;
    }
    sending = true;
    while (link != null && link.hasRoom() && !ready.isEmpty()) {
      InputPort port = ready.iterator().next();
      ready.remove(port);
      meters.sent(port.sendNext(link));
      if (port.isReady()) {
        ready.add(port);
      }
    }
    sending = false;
  }
}
