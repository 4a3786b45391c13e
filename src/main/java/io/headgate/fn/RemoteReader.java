package io.headgate.fn;

import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import java.util.function.IntConsumer;

/** Takes an output from the loop to its reader's context, and word of what was taken back. */
final class RemoteReader implements OutputReader {
  private final Context context;
  private final Loop loop;
  private final OutputReader reader;

  RemoteReader(Context context, Loop loop, OutputReader reader) {
    this.context = context;
    this.loop = loop;
    this.reader = reader;
  }

  @Override
  public void piece(Buffer bytes, IntConsumer taken) {
    context.runOnContext(v -> reader.piece(bytes, count -> loop.run(() -> taken.accept(count))));
  }

  @Override
  public void end() {
    context.runOnContext(v -> reader.end());
  }

  @Override
  public void fail(BundleFailure reason) {
    context.runOnContext(v -> reader.fail(reason));
  }
}
