package io.headgate.edge.fn;

import io.headgate.fn.v1.HarnessCall;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.buffer.BufferInternal;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.server.GrpcServerRequest;
import io.vertx.grpc.server.GrpcServerResponse;
import org.jspecify.annotations.Nullable;

/**
 * A call of Vert.x gRPC, with a few things done below it, on the HTTP request and response that it
 * is made of. A pause there holds back bytes; Vert.x gRPC's own would let sixteen messages of any
 * size gather first. What waits to be written is counted in bytes, not in messages. And messages
 * are read and written there, since Vert.x gRPC would copy each to put five bytes in front, and
 * copy what comes several times over; see {@link MessageReader}. Event loop only.
 */
final class GrpcCall implements HarnessCall {
  /** As much as HTTP/2 lets wait at the other end, so that a fast reader never waits for us. */
  private static final int MOST_UNWRITTEN = 1024 * 1024;

  /** About what a message costs besides its bytes while it waits; tiny ones are not free. */
  private static final int OVERHEAD = 1_024;

  private static final String WORKER_ID = "worker_id";

  private final HttpServerRequest http;
  private final GrpcServerRequest<Buffer, Buffer> request;
  private final GrpcServerResponse<Buffer, Buffer> response;
  private final @Nullable String subject;
  private final int mostBytes;
  private final MessageRoom room;
  private final Unwritten all;
  private @Nullable MessageReader reader;
  private @Nullable Events events;
  private long unwritten;
  private boolean wanting;
  private boolean begun;
  private boolean ended;
  private boolean requestEnded;
  private boolean broken;

  /**
   * @param http what {@code request} is made of
   * @param mostBytes of a message that comes
   * @param room for messages on their way, of all calls
   * @param all what waits to be written, of all calls
   */
  GrpcCall(
      HttpServerRequest http,
      GrpcServerRequest<Buffer, Buffer> request,
      @Nullable String subject,
      int mostBytes,
      MessageRoom room,
      Unwritten all) {
    this.http = http;
    this.request = request;
    this.response = request.response();
    this.subject = subject;
    this.mostBytes = mostBytes;
    this.room = room;
    this.all = all;
    request.endHandler(v -> requestOver());
    request.exceptionHandler(failure -> broken());
    request.errorHandler(error -> broken()); // a reset
    response.exceptionHandler(failure -> broken());
    http.response().closeHandler(v -> broken());
  }

  @Override
  public String workerId() {
    String id = http.headers().get(WORKER_ID);
    return id == null ? "" : id;
  }

  @Override
  public @Nullable String subject() {
    return subject;
  }

  @Override
  public void listen(Events listener) {
    events = listener;
    if (ended || requestEnded) {
      listener.ended();
      return;
    }
    MessageReader opened = new MessageReader(mostBytes, room, this::message, this::oversize);
    reader = opened;
    http.handler(opened::read); // in place of Vert.x gRPC's, which has seen nothing yet
    begin();
  }

  private void message(Buffer message) {
    if (events != null && !ended) {
      events.message(message);
    }
  }

  private void oversize() {
    if (events != null && !ended) {
      events.oversize();
    }
  }

  private void broken() {
    broken = true;
    all.add(-unwritten); // nobody may tell of these any more
    unwritten = 0;
    requestOver();
  }

  private void requestOver() {
    requestEnded = true;
    closeReader();
    if (events != null && !ended) {
      events.ended();
    }
  }

  private void closeReader() {
    if (reader != null) {
      reader.close();
    }
  }

  @Override
  public boolean hasRoom() {
    boolean has = unwritten == 0 || unwritten < MOST_UNWRITTEN && !all.full();
    wanting |= !has;
    return has;
  }

  @Override
  public void send(Buffer head, Buffer rest) {
    if (ended || broken) {
      return;
    }
    begin();
    int length = head.length() + rest.length();
    Buffer prefix =
        Buffer.buffer(MessageReader.PREFIX_BYTES).appendByte((byte) 0).appendInt(length);
    int weight = length + OVERHEAD;
    unwritten += weight;
    all.add(weight);
    http.response()
        .write(BufferInternal.buffer(wrap(prefix, head, rest)))
        .onComplete(written -> written(weight));
  }

  private static ByteBuf wrap(Buffer... parts) {
    ByteBuf[] all = new ByteBuf[parts.length];
    for (int i = 0; i < parts.length; i++) {
      all[i] = ((BufferInternal) parts[i]).getByteBuf();
    }
    return Unpooled.wrappedBuffer(all);
  }

  /** Sends the headers, once. */
  private void begin() {
    if (!begun) {
      begun = true;
      response.writeHead();
    }
  }

  private void written(int weight) {
    if (broken) {
      return;
    }
    unwritten -= weight;
    all.add(-weight);
    if (wanting && events != null && !ended && hasRoom()) {
      wanting = false;
      events.roomAgain();
    }
  }

  @Override
  public void pause() {
    if (!requestEnded) {
      http.pause();
    }
  }

  @Override
  public void resume() {
    if (!requestEnded) {
      http.resume();
    }
  }

  @Override
  public void end(Ending ending) {
    if (ended) {
      return;
    }
    ended = true;
    closeReader();
    if (broken || http.response().closed()) {
      return;
    }
    boolean open = !requestEnded;
    response.status(status(ending));
    response
        .end()
        .onComplete(
            done -> {
              if (open && !requestEnded) {
                http.response().reset(0); // else the harness could keep the stream for ever
              }
            });
  }

  /** Resets what is left of a call that was answered, if its other end does not end it. */
  static void leave(HttpServerRequest http, Future<Void> answered) {
    answered.onComplete(
        done -> {
          if (!http.isEnded()) {
            http.response().reset(0);
          }
        });
  }

  private static GrpcStatus status(Ending ending) {
    return GrpcStatus.valueOf(ending.name());
  }
}
