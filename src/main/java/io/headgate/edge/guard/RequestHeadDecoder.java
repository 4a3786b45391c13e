package io.headgate.edge.guard;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.AsciiString;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.impl.VertxHttpRequestDecoder;
import io.vertx.core.http.impl.headers.HeadersMultiMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Vert.x's own HTTP/1 request decoder, plus the rules about request heads that Vert.x and Netty
 * leave to the application.
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
 *       HTTP/1.1}; anything but two empty lines before it, or one, or none;
 *   <li>a target that is neither {@code /…}, nor {@code *} with OPTIONS, nor an absolute URI of the
 *       same authority as {@code Host}; control characters, {@code #}, or bytes above 0x7E in it;
 *   <li>HTTP/1.1 without exactly one {@code Host}, HTTP/1.0 with more than one, a {@code Host} that
 *       is not host[:port];
 *   <li>more than one {@code Content-Length}; a transfer coding in front of {@code chunked} (501;
 *       the decoder itself refuses one behind it, with 400);
 *   <li>content with any method but POST, PUT and PATCH, {@code Content-Length: 0} excepted.
 * </ul>
 *
 * It also rewrites an absolute target to its path, drops {@code Upgrade} (nothing here upgrades)
 * and makes a {@code close} inside a {@code Connection} list count.
 *
 * <p><b>How.</b> The refused request goes to the server's invalid-request handler, which answers
 * with the error envelope, and the connection is closed behind the answer. Whatever the client sent
 * behind the request is dropped unparsed.
 *
 * <p><b>Threads.</b> Everything runs on the connection's event loop; there is no shared state. A
 * head that arrives in one buffer costs one more pass over its line ends.
 */
class RequestHeadDecoder extends VertxHttpRequestDecoder {

  /**
   * Of {@code Content-Length} and {@code Content-Type} Vert.x 5.0.7 compares all letters but the
   * ninth, so it takes {@code Content-Xength} for a length.
   */
  private static final int UNREAD = 8;

  /** The bit in which a letter differs from the same letter of the other case. */
  private static final int CASE = 0x20;

  // What a head carries that must be looked at when it is complete.
  private static final int TRANSFER_CODING = 1;
  private static final int CONNECTION = 2;
  private static final int UPGRADE = 4;
  private static final int REPEATED_LENGTH = 8;
  private static final int LENGTH = 16;

  private final int maxHeaders;

  private boolean refused;
  private boolean inContent;

  // Of the head that is being decoded.
  private boolean lineSeen;
  private int emptyBytes;
  private boolean absolute;
  private int wordEnd;
  private int headerLines;
  private int hosts;
  private int seen;

  /**
   * @param maxHeaders most header and trailer lines of a request
   */
  RequestHeadDecoder(HttpServerOptions options, int maxHeaders) {
    super(options);
    this.maxHeaders = maxHeaders;
  }

  /** Whether the next byte, if any comes, belongs to a request head that will be decoded. */
  final boolean awaitsHead() {
    return !refused && !inContent;
  }

  /** Whether some of the head that is awaited is there. */
  final boolean headBegun() {
    return lineSeen || actualReadableBytes() > 0;
  }

  /** Whether the client may be sending what will not be read. */
  final boolean dropsInput() {
    return refused || inContent;
  }

  /** Drops what has not been decoded, and whatever comes. */
  final void dropInput() {
    refused = true;
  }

  /** A request that stands for the head that is awaited and refuses it. */
  final HttpMessage refuse(Refusal refusal) {
    return refuse(createInvalidMessage(), refusal);
  }

  private HttpMessage refuse(HttpMessage head, Refusal refusal) {
    head.setDecoderResult(DecoderResult.failure(refusal));
    return last(head);
  }

  /** Makes a refused request the last one of its connection, and its headers mean nothing. */
  private HttpMessage last(HttpMessage head) {
    refused = true;
    head.headers().clear().set(HttpHeaderNames.CONNECTION, HttpHeaders.CLOSE);
    return head;
  }

  // --- what the decoder is given and what comes out

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
    if (refused) {
      in.skipBytes(in.readableBytes());
    } else if (inContent) {
      super.decode(ctx, in, out);
      if (!out.isEmpty() && out.get(out.size() - 1) instanceof LastHttpContent last) {
        inContent = false;
        refused = last.decoderResult().isFailure();
      }
      out.replaceAll(RequestHeadDecoder::onHeap);
    } else {
      decodeHead(ctx, in, out);
    }
  }

  /**
   * Content of a request whose turn has not come waits inside Vert.x 5.0.7, which forgets to
   * release it when the connection breaks. On the heap nobody has to, and Vert.x need not copy it
   * there.
   */
  private static Object onHeap(Object message) {
    if (!(message instanceof HttpContent content) || !content.content().isReadable()) {
      return message;
    }
    HttpContent copy =
        content.replace(Unpooled.wrappedBuffer(ByteBufUtil.getBytes(content.content())));
    content.release();
    return copy;
  }

  private void decodeHead(ChannelHandlerContext ctx, ByteBuf in, List<Object> out)
      throws Exception {
    int from = in.readerIndex();
    boolean lineWasSeen = lineSeen;
    super.decode(ctx, in, out);
    boolean badLines = in.readerIndex() > from && hasBadLines(in, from, lineWasSeen);
    if (out.isEmpty()) {
      if (badLines) {
        out.add(refuse(Refusal.MALFORMED));
      }
      return;
    }
    HttpRequest head = (HttpRequest) out.get(0);
    boolean content = out.size() == 1;
    lineSeen = false;
    emptyBytes = 0;
    if (head.decoderResult().isFailure()) {
      last(head);
      return;
    }
    Refusal refusal = badLines ? Refusal.MALFORMED : check(head, content);
    if (refusal == null) {
      inContent = content;
    } else {
      refuse(head, refusal);
      if (!content) {
        out.remove(1);
      }
    }
  }

  /** Whether the lines just read hold a folded header, or begin with the wrong empty lines. */
  private boolean hasBadLines(ByteBuf in, int from, boolean lineWasSeen) {
    int to = in.readerIndex();
    if (lineWasSeen) {
      return HeadRules.isFolded(in, from, to);
    }
    int at = HeadRules.skipEmptyLines(in, from, to, emptyBytes);
    emptyBytes += at - from;
    return at < 0 || HeadRules.hasFold(in, at, to);
  }

  /** The connection is gone: a head that is not complete now never was a request. */
  @Override
  protected void decodeLast(ChannelHandlerContext ctx, ByteBuf in, List<Object> out)
      throws Exception {
    if (inContent && !refused) {
      super.decodeLast(ctx, in, out);
    }
  }

  @Override
  protected HttpMessage createInvalidMessage() {
    return new DefaultHttpRequest(
        HttpVersion.HTTP_1_1, HttpMethod.GET, "/bad-request", HeadersMultiMap.httpHeaders());
  }

  // --- the parts of a head, as the decoder meets them; an exception becomes a failed request

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
    if (length > UNREAD && (name.byteAt(UNREAD) ^ line[start + UNREAD] | CASE) != CASE) {
      name = new AsciiString(line, start, length, true);
    }
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
}
