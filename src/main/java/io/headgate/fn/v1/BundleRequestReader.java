package io.headgate.fn.v1;

import io.headgate.fn.BundleRequest;
import io.headgate.fn.ControlLink;
import io.headgate.fn.PortId;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.fn.v1.BeamFnApi.CacheToken;
import org.apache.beam.fn.v1.BeamFnApi.ProcessBundleRequest;
import org.apache.beam.fn.v1.BeamFnApi.Target;
import org.jspecify.annotations.Nullable;

/** Reads {@code ProcessBundleRequest} messages of runners (F5). Safe on any thread. */
public final class BundleRequestReader implements BundleRequest.Reader {
  /** More than a body has room for, unless they say next to nothing. */
  private static final int MOST_TOKENS = 1_000;

  private static final KnownFields<ProcessBundleRequest> REQUESTS =
      new KnownFields<>(ProcessBundleRequest.parser());

  @Override
  public @Nullable BundleRequest read(byte[] bytes) {
    ProcessBundleRequest request;
    try {
      request = REQUESTS.read(Buffer.buffer(bytes));
    } catch (MalformedMessageException e) {
      return null;
    }
    if (request.getCacheTokensCount() > MOST_TOKENS) {
      return null;
    }
    List<ControlLink.CacheToken> tokens = new ArrayList<>();
    for (CacheToken token : request.getCacheTokensList()) {
      Target target = token.getTarget();
      tokens.add(
          new ControlLink.CacheToken(
              new PortId(target.getPrimitiveTransformReference(), target.getName()),
              Buffer.buffer(token.getToken().toByteArray())));
    }
    return new BundleRequest(request.getProcessBundleDescriptorReference(), List.copyOf(tokens));
  }
}
