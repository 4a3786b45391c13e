package io.headgate.edge.guard;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.AsciiString;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.impl.VertxHttpRequestDecoder;
import io.vertx.core.http.impl.headers.HeadersMultiMap;
import io.vertx.core.net.impl.ShutdownEvent;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP/1 request decoder of every connection: Vert.x's own, which it extends and replaces, plus
 * the rules about request heads that Vert.x and Netty leave to the application, plus the
 * connection's clock.
 *
 * <p><b>Why a decoder and not a handler in front of it.</b> There is one parser, so it cannot
 * disagree with itself on where a body ends, and bodies (by length or chunked) need no code here.
 * And a refusal leaves as a request whose {@link HttpServerRequest#decoderResult()} failed, so
 * Vert.x answers it in its turn, behind the answers to the requests before it: bytes written from
 * in front of the decoder would be taken for the answer to one of those.
 *
 * <p><b>What it refuses</b>, beyond what the decoder already does:
 *
 * <ul>
 *   <li>folded header lines, empty header names, more than {@link GuardLimits#headers()} header and
 *       trailer lines;
 *   <li>a request line that is not exactly method, space, target, space, {@code HTTP/1.0} or {@code
 *       HTTP/1.1}; more than two empty lines before it;
 *   <li>a target that is neither {@code /…}, nor {@code *} with OPTIONS, nor an absolute URI of the
 *       same authority as {@code Host}; control characters, {@code #}, or bytes above 0x7E in it;
 *   <li>HTTP/1.1 without exactly one {@code Host}, HTTP/1.0 with more than one, a {@code Host} that
 *       is not host[:port];
 *   <li>more than one {@code Content-Length}; a transfer coding other than one {@code chunked}
 *       (501);
 *   <li>content with any method but POST, PUT and PATCH, {@code Content-Length: 0} excepted;
 *   <li>a head that is not complete {@link GuardLimits#headerDeadline()} after its first byte, or,
 *       the first one, after the connection opened.
 * </ul>
 *
 * It also rewrites an absolute target to its path, drops {@code Upgrade} (nothing here upgrades)
 * and makes a {@code close} inside a {@code Connection} list count.
 *
 * <p><b>How.</b> The request goes to the server's invalid-request handler, which must be {@link
 * #refuse}: it answers with the error envelope and {@code Connection: close}, and Vert.x closes.
 * Whatever the client sent behind it is dropped unparsed. A late head is answered 408 in the same
 * way, because an earlier request of the connection may still be waiting for its answer; a
 * connection on which no byte of a head came is closed silently, since a 408 there could cross a
 * request that is just being sent and be taken for its answer.
 *
 * <p><b>Pipelining.</b> Vert.x stops reading when requests wait for their turn, but only after it
 * has decoded all that one read brought, thousands of requests. This decodes at most {@value
 * #BURST} heads, lets Vert.x look at its queue, and goes on only while that wants more.
 *
 * <p><b>Clock.</b> A connection is also closed when it had no unanswered request, nothing left to
 * send and no begun head for {@link GuardLimits#idle()}, and when it took no byte of what is to be
 * sent for {@link GuardLimits#stall()}. Vert.x's own idle timeouts must stay off: they see neither
 * a waiting request nor the progress of a large buffer. A request that is never answered, or whose
 * content never ends, is not this class's business: that needs the whole-request deadline.
 *
 * <p><b>Threads.</b> Everything runs on the connection's event loop; there is no shared state. A
 * head that arrives in one buffer costs one more pass over its line ends and one reading of the
 * clock; timers are set only for heads that come in pieces.
 */
final class RequestHeadGuard extends VertxHttpRequestDecoder {

  private static final int BURST = 16;
  private static final long NONE = Outbox.NONE;

  // what a head carries that must be looked at when it is complete
  private static final int TRANSFER_CODING = 1;
  private static final int CONNECTION = 2;
  private static final int UPGRADE = 4;
  private static final int REPEATED_LENGTH = 8;
  private static final int LENGTH = 16;

  private final int maxHeaders;
  private final long headerDeadline;
  private final long idle;
  private final Outbox outbox;

  @SuppressWarnings("NullAway.Init") // set when the handler is added, before anything else
  private ChannelHandlerContext ctx;

  @SuppressWarnings("NullAway.Init") // likewise
  private ScheduledFuture<?> timer;

  private long headSince;
  private long quietSince;
  private int unanswered;
  private int burst;
  private boolean held;

  private boolean refused;
  private boolean inBody;
  private boolean lineSeen;
  private boolean absolute;
  private int wordEnd;
  private int headerLines;
  private int hosts;
  private int seen;

  /**
   * @param opened the {@link System#nanoTime()} at which the connection opened
   */
  RequestHeadGuard(HttpServerOptions options, GuardLimits limits, long opened) {
    super(options);
    headSince = opened;
    maxHeaders = limits.headers();
    headerDeadline = limits.headerDeadline().toNanos();
    idle = limits.idle().toNanos();
    outbox = new Outbox(limits.stall().toNanos());
  }

  /** Puts a guard in the place of an HTTP/1 decoder that has seen no byte yet. */
  static void install(
      ChannelPipeline pipeline, HttpServerOptions options, GuardLimits limits, long opened) {
    RequestHeadGuard guard = new RequestHeadGuard(options, limits, opened);
    pipeline.addAfter("httpEncoder", "answers", guard.new Answers());
    pipeline.replace("httpDecoder", "httpDecoder", guard);
  }

  // --- the decoder: what it is given and what comes out
  // ---------------------------------------------------------

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
    if (refused) {
      in.skipBytes(in.readableBytes());
      return;
    }
    if (inBody) {
      super.decode(ctx, in, out);
      if (!out.isEmpty() && out.get(out.size() - 1) instanceof LastHttpContent last) {
        inBody = false;
        refused = last.decoderResult().isFailure();
      }
      return;
    }
    if (burst == BURST) {
      held = true;
      return;
    }
    int from = in.readerIndex();
    boolean wasInHeaders = lineSeen;
    super.decode(ctx, in, out);
    int to = in.readerIndex();
    if (out.isEmpty()) {
      if (to > from && HeadRules.badLines(in, from, to, wasInHeaders)) {
        refused = true;
        unanswered++;
        out.add(failed(createInvalidMessage(), Refusal.MALFORMED));
      }
      return;
    }
    HttpRequest head = (HttpRequest) out.get(0);
    burst++;
    unanswered++;
    lineSeen = false;
    headSince = NONE;
    if (head.decoderResult().isFailure()) {
      refused = true;
      return;
    }
    boolean content = out.size() == 1;
    Refusal refusal =
        HeadRules.badLines(in, from, to, wasInHeaders) ? Refusal.MALFORMED : check(head, content);
    if (refusal == null) {
      inBody = content;
    } else {
      refused = true;
      failed(head, refusal);
      if (!content) {
        out.remove(1);
      }
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) throws Exception {
    refused |= held; // nobody waits for the answers any more
    super.channelInactive(ctx);
  }

  /** The connection is gone: a head that is not complete now never was a request. */
  @Override
  protected void decodeLast(ChannelHandlerContext ctx, ByteBuf in, List<Object> out)
      throws Exception {
    if (inBody && !refused) {
      super.decodeLast(ctx, in, out);
    }
  }

  @Override
  protected HttpMessage createInvalidMessage() {
    return new DefaultHttpRequest(
        HttpVersion.HTTP_1_1, HttpMethod.GET, "/bad-request", HeadersMultiMap.httpHeaders());
  }

  private static HttpMessage failed(HttpMessage message, Refusal refusal) {
    message.setDecoderResult(DecoderResult.failure(refusal));
    return message;
  }

  // --- the parts of a head, as the decoder meets them; an exception becomes a failed request
  // ----------------------

  @Override
  protected String splitFirstWordInitialLine(byte[] line, int start, int length) {
    lineSeen = true;
    headerLines = 0;
    hosts = 0;
    seen = 0;
    if (start != 0) {
      throw Refusal.MALFORMED;
    }
    wordEnd = length;
    return super.splitFirstWordInitialLine(line, start, length);
  }

  @Override
  protected String splitSecondWordInitialLine(byte[] line, int start, int length) {
    int end = start + length;
    if (start != wordEnd + 1 || line[wordEnd] != ' ' || length == 0) {
      throw Refusal.MALFORMED;
    }
    for (int i = start; i < end; i++) {
      byte b = line[i];
      if (b <= ' ' || b == 0x7F || b == '#') { // bytes above 0x7F are negative
        throw Refusal.MALFORMED;
      }
    }
    absolute = line[start] != '/';
    wordEnd = end;
    return super.splitSecondWordInitialLine(line, start, length);
  }

  @Override
  protected String splitThirdWordInitialLine(byte[] line, int start, int length) {
    if (start != wordEnd + 1
        || line[wordEnd] != ' '
        || length != 8
        || line[start] != 'H'
        || line[start + 1] != 'T'
        || line[start + 2] != 'T'
        || line[start + 3] != 'P'
        || line[start + 4] != '/'
        || line[start + 5] != '1'
        || line[start + 6] != '.'
        || line[start + 7] != '1' && line[start + 7] != '0') {
      throw Refusal.MALFORMED;
    }
    return super.splitThirdWordInitialLine(line, start, length);
  }

  @Override
  protected AsciiString splitHeaderName(byte[] line, int start, int length) {
    if (++headerLines > maxHeaders) {
      throw Refusal.HEADERS;
    }
    AsciiString name = super.splitHeaderName(line, start, length);
    switch (length) {
      case 0 -> throw Refusal.MALFORMED;
      case 4 -> {
        if (HttpHeaderNames.HOST.contentEqualsIgnoreCase(name)) {
          hosts++;
        }
      }
      case 7 -> {
        if (HttpHeaderNames.UPGRADE.contentEqualsIgnoreCase(name)) {
          seen |= UPGRADE;
        }
      }
      case 10 -> {
        if (HttpHeaderNames.CONNECTION.contentEqualsIgnoreCase(name)) {
          seen |= CONNECTION;
        }
      }
      case 14 -> {
        if (HttpHeaderNames.CONTENT_LENGTH.contentEqualsIgnoreCase(name)) {
          seen |= (seen & LENGTH) == 0 ? LENGTH : REPEATED_LENGTH;
        }
      }
      case 17 -> {
        if (HttpHeaderNames.TRANSFER_ENCODING.contentEqualsIgnoreCase(name)) {
          seen |= TRANSFER_CODING;
        }
      }
      default -> {}
    }
    return name;
  }

  /** The rules that need the whole head. */
  private @Nullable Refusal check(HttpRequest head, boolean content) {
    var headers = head.headers();
    if (hosts != 1 && (hosts > 1 || head.protocolVersion() != HttpVersion.HTTP_1_0)) {
      return Refusal.MALFORMED;
    }
    String host = hosts == 0 ? null : headers.get(HttpHeaderNames.HOST);
    if (host != null && !HeadRules.isHost(host)) {
      return Refusal.MALFORMED;
    }
    if (absolute && !HeadRules.originForm(head, host)) {
      return Refusal.MALFORMED;
    }
    if (content && !HeadRules.mayHaveContent(head.method().name())) {
      return Refusal.CONTENT;
    }
    if ((seen & ~LENGTH) != 0) {
      if ((seen & REPEATED_LENGTH) != 0) {
        return Refusal.MALFORMED;
      }
      if ((seen & TRANSFER_CODING) != 0) {
        List<String> codings = headers.getAll(HttpHeaderNames.TRANSFER_ENCODING);
        if (codings.size() != 1 || !"chunked".equalsIgnoreCase(codings.get(0))) {
          return Refusal.CODING;
        }
      }
      if ((seen & CONNECTION) != 0
          && headers.containsValue(HttpHeaderNames.CONNECTION, "close", true)) {
        headers.set(HttpHeaderNames.CONNECTION, HttpHeaders.CLOSE);
      }
      if ((seen & UPGRADE) != 0) {
        headers.remove(HttpHeaderNames.UPGRADE);
      }
    }
    return null;
  }

  // --- flow and clock
  // --------------------------------------------------------------------------------------------

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) throws Exception {
    super.handlerAdded(ctx);
    this.ctx = ctx;
    quietSince = headSince;
    ctx.channel().config().setOption(ChannelOption.MAX_MESSAGES_PER_READ, 1);
    arm(headSince + headerDeadline - System.nanoTime());
  }

  @Override
  protected void handlerRemoved0(ChannelHandlerContext ctx) throws Exception {
    timer.cancel(false);
    super.handlerRemoved0(ctx);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
    burst = 0;
    super.channelReadComplete(ctx);
    if (held) {
      decodeHeld();
    }
    if (headSince == NONE
        && !inBody
        && !refused
        && !held
        && (lineSeen || actualReadableBytes() > 0)) {
      headSince = System.nanoTime();
      timer.cancel(false);
      arm(headerDeadline);
    }
  }

  /** Decodes what was held back, as long as Vert.x takes it. */
  private void decodeHeld() throws Exception {
    while (held && ctx.channel().config().isAutoRead() && !ctx.isRemoved()) {
      held = false;
      super.channelRead(ctx, Unpooled.EMPTY_BUFFER);
      burst = 0;
      super.channelReadComplete(ctx);
    }
  }

  private void resume() {
    try {
      channelReadComplete(ctx);
    } catch (Exception e) {
      ctx.fireExceptionCaught(e);
    }
  }

  /** Sees, behind the encoder, when Vert.x wants to read again, and what it answers. */
  private final class Answers extends ChannelOutboundHandlerAdapter {
    @Override
    public void read(ChannelHandlerContext ctx) {
      if (held) {
        ctx.executor().execute(RequestHeadGuard.this::resume);
      }
      ctx.read();
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
      if (message instanceof LastHttpContent
          && !(message instanceof HttpResponse head
              && head.status().codeClass() == HttpStatusClass.INFORMATIONAL)
          && --unanswered == 0) {
        quietSince = System.nanoTime();
      }
      ctx.write(message, promise);
    }
  }

  /**
   * The server shuts down: a connection without a request is of no use any more, though a head may
   * have begun.
   */
  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Exception {
    if (event instanceof ShutdownEvent && unanswered == 0) {
      ctx.close();
    } else {
      super.userEventTriggered(ctx, event);
    }
  }

  private void arm(long nanos) {
    timer = ctx.executor().schedule(this::tick, Math.max(nanos, 1_000_000), TimeUnit.NANOSECONDS);
  }

  private void tick() {
    if (!ctx.channel().isActive()) {
      return;
    }
    long now = System.nanoTime();
    if (headSince != NONE) {
      headTick(now);
      return;
    }
    long left = outbox.patience(ctx.channel(), now);
    if (left == 0) {
      Abort.connection(ctx.channel());
      return;
    }
    if (left != NONE) {
      quietSince = now;
    } else if (unanswered > 0) {
      left = idle;
    } else {
      left = quietSince + idle - now;
    }
    if (left > 0) {
      arm(left);
    } else {
      ctx.close();
    }
  }

  private void headTick(long now) {
    long left = headSince + headerDeadline - now;
    if (left > 0) {
      arm(left);
    } else if (!ctx.channel().config().isAutoRead()) {
      headSince =
          now; // Vert.x reads no more, because earlier requests are not answered yet: the client is
      // not late
      arm(headerDeadline);
    } else if (lineSeen || actualReadableBytes() > 0) {
      headSince = NONE;
      refused = true;
      unanswered++;
      arm(idle);
      ctx.fireChannelRead(failed(createInvalidMessage(), Refusal.LATE));
      ctx.fireChannelReadComplete();
    } else {
      ctx.close();
    }
  }
}
