package io.headgate.edge.guard;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.HttpServerOptions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What a guard makes of bytes, without sockets: requests, content and refusals in order. */
final class Decoding {
  private static final Duration NEVER = Duration.ofDays(1);
  private static final HttpServerOptions OPTIONS =
      new HttpServerOptions().setMaxInitialLineLength(4096).setMaxHeaderSize(8192);
  private static final GuardLimits LIMITS = new GuardLimits(NEVER, NEVER, NEVER, 100);

  /** Leaks are looked for in the tests with sockets; looking for them here would take minutes. */
  private static final ByteBufAllocator ON_HEAP = new UnpooledByteBufAllocator(false, true);

  private Decoding() {}

  /** One request as the guard passes it on. */
  record Request(String method, String target, String headers, StringBuilder content) {
    @Override
    public String toString() {
      return method + ' ' + target + ' ' + headers + '|' + content;
    }
  }

  /**
   * Everything the guard passes on for these segments: a {@link Request} for each request, a {@link
   * Refusal.Kind} for a refused one, "broken" for content that ends in a fault, "end" for the end
   * of a request.
   */
  static List<Object> of(byte[]... segments) {
    EmbeddedChannel channel = channel();
    List<Object> seen = new ArrayList<>();
    for (byte[] segment : segments) {
      channel.writeInbound(ON_HEAP.buffer(segment.length).writeBytes(segment));
      for (Object out = channel.readInbound(); out != null; out = channel.readInbound()) {
        note(out, seen);
        ReferenceCountUtil.release(out);
      }
    }
    channel.finishAndReleaseAll();
    return seen;
  }

  /** A channel with nothing but a guard. */
  static EmbeddedChannel channel() {
    EmbeddedChannel channel =
        new EmbeddedChannel(new RequestHeadGuard(OPTIONS, LIMITS, System.nanoTime()));
    channel.config().setAllocator(ON_HEAP);
    return channel;
  }

  private static void note(Object out, List<Object> seen) {
    if (out instanceof HttpRequest head) {
      if (head.decoderResult().isFailure()) {
        seen.add(Refusal.of(head.decoderResult().cause()).kind());
      } else {
        seen.add(
            new Request(
                head.method().name(),
                head.uri(),
                head.headers().entries().toString(),
                new StringBuilder()));
      }
    }
    if (out instanceof HttpContent content) {
      if (content.decoderResult().isFailure()) {
        seen.add("broken");
        return;
      }
      for (int i = seen.size() - 1; i >= 0; i--) {
        if (seen.get(i) instanceof Request request) {
          request.content.append(content.content().toString(StandardCharsets.ISO_8859_1));
          break;
        }
      }
      if (content instanceof LastHttpContent) {
        seen.add("end");
      }
    }
  }
}
