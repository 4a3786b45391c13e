package io.headgate.edge.guard;

import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Stream;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.impl.HttpServerConnection;
import org.jspecify.annotations.Nullable;

/**
 * The rules of {@link RequestHeadDecoder} for requests over HTTP/2, whose own decoder lets them
 * pass.
 */
public final class Http2Heads {
  private Http2Heads() {}

  /**
   * What is wrong with an HTTP/2 request that this class refuses over HTTP/1 and the HTTP/2 decoder
   * lets pass, or null. Content with a method that has none shows as a stream that the client has
   * not ended; having answered it, the caller resets the stream with {@code NO_ERROR}.
   */
  public static @Nullable Refusal check(HttpServerRequest request) {
    String uri = request.uri();
    if (uri == null
        || request.authority() == null
        || !HeadRules.isHost(request.authority().toString())
        || !(uri.startsWith("/") && uri.indexOf('#') < 0
            || uri.equals("*") && request.method() == HttpMethod.OPTIONS)) {
      return Refusal.MALFORMED;
    }
    if (uri.length() > HttpServerOptions.DEFAULT_MAX_INITIAL_LINE_LENGTH) {
      return Refusal.LONG_LINE;
    }
    ChannelPipeline pipeline =
        ((HttpServerConnection) request.connection()).channelHandlerContext().pipeline();
    Http2Stream stream =
        pipeline.get(Http2ConnectionHandler.class).connection().stream(request.streamId());
    boolean content = stream != null && stream.state().remoteSideOpen();
    return content && !HeadRules.mayHaveContent(request.method().name()) ? Refusal.CONTENT : null;
  }
}
