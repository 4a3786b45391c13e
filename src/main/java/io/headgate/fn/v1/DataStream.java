package io.headgate.fn.v1;

import io.headgate.fn.DataLink;
import io.headgate.fn.FnCore;
import io.headgate.fn.Harness;
import io.headgate.fn.PortId;
import io.vertx.core.buffer.Buffer;

/**
 * A harness's Data stream (F6). A message that can't be read, or is too large, may have carried
 * anything, so it ends the stream: bundles that are not whole have failed. On the loop.
 */
final class DataStream extends HarnessStream implements DataLink {
  DataStream(FnCore core, Harness harness, HarnessCall call) {
    super(core, harness, call);
  }

  @Override
  boolean open() {
    return harness.openData(this);
  }

  @Override
  void read(Buffer bytes) throws MalformedMessageException {
    ElementsCodec.read(bytes, harness::data);
  }

  @Override
  void unreadable(HarnessCall.Ending ending) {
    end(ending);
  }

  @Override
  void gone() {
    harness.dataEnded();
  }

  @Override
  public void roomAgain() {
    harness.dataHasRoom();
  }

  @Override
  public boolean hasRoom() {
    return call.hasRoom();
  }

  @Override
  public void send(String bundle, PortId port, Buffer piece) {
    call.send(ElementsCodec.head(bundle, port, piece.length()), piece);
  }

  @Override
  public void pause() {
    call.pause();
  }

  @Override
  public void resume() {
    call.resume();
  }
}
