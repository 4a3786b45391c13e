package io.headgate.fn.v1;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.headgate.fn.FnCore;
import io.headgate.fn.Harness;
import io.headgate.fn.PortId;
import io.headgate.fn.StateAnswer;
import io.headgate.fn.StateLink;
import io.headgate.fn.StateRequest;
import io.headgate.fn.StateRequest.Action;
import io.vertx.core.buffer.Buffer;
import org.apache.beam.fn.v1.BeamFnApi;
import org.apache.beam.fn.v1.BeamFnApi.ContinuableStream;
import org.apache.beam.fn.v1.BeamFnApi.StateAppendResponse;
import org.apache.beam.fn.v1.BeamFnApi.StateClearResponse;
import org.apache.beam.fn.v1.BeamFnApi.StateGetResponse;
import org.apache.beam.fn.v1.BeamFnApi.StateKey;
import org.apache.beam.fn.v1.BeamFnApi.StateResponse;
import org.apache.beam.fn.v1.BeamFnApi.Target;
import org.jspecify.annotations.Nullable;

/**
 * A harness's State stream (F7). A message that can't be read, or is too large, can't be answered,
 * and nobody knows which bundle it belongs to: it ends the stream, and the harness's bundles have
 * failed. On the loop.
 */
final class StateStream extends HarnessStream implements StateLink {
  private static final KnownFields<BeamFnApi.StateRequest> REQUESTS =
      new KnownFields<>(BeamFnApi.StateRequest.parser());

  StateStream(FnCore core, Harness harness, HarnessCall call) {
    super(core, harness, call);
  }

  @Override
  boolean open() {
    return harness.openState(this);
  }

  @Override
  void read(Buffer bytes) throws MalformedMessageException {
    BeamFnApi.StateRequest request = REQUESTS.read(bytes);
    harness.stateRequest(request.getId(), request.getInstructionReference(), wish(request));
  }

  private static @Nullable StateRequest wish(BeamFnApi.StateRequest request) {
    StateKey key = request.getStateKey();
    Action action = action(request);
    if (action == null || !key.hasTarget()) {
      return null;
    }
    Target target = key.getTarget();
    return new StateRequest(
        new PortId(target.getPrimitiveTransformReference(), target.getName()),
        key.getWindow().toByteArray(),
        key.getKey().toByteArray(),
        action);
  }

  private static @Nullable Action action(BeamFnApi.StateRequest request) {
    return switch (request.getRequestCase()) {
      case GET -> {
        ByteString token = request.getGet().getContinuationToken();
        yield new Action.Get(token.isEmpty() ? null : token.toByteArray());
      }
      case APPEND -> new Action.Append(request.getAppend().getData().toByteArray());
      case CLEAR -> new Action.Clear();
      case REQUEST_NOT_SET -> null;
    };
  }

  @Override
  void unreadable(HarnessCall.Ending ending) {
    harness.stateLost();
    end(ending);
  }

  @Override
  void gone() {
    harness.stateEnded();
  }

  @Override
  public void roomAgain() {
    harness.stateHasRoom();
  }

  @Override
  public boolean hasRoom() {
    return call.hasRoom();
  }

  @Override
  public void answer(String request, StateAnswer answer) {
    StateResponse.Builder response = StateResponse.newBuilder().setId(request);
    if (answer instanceof StateAnswer.Refused refused) {
      response.setError(refused.reason().text());
    } else if (answer instanceof StateAnswer.Page page) {
      response.setGet(StateGetResponse.newBuilder().setStream(stream(page)));
    } else if (answer instanceof StateAnswer.Appended) {
      response.setAppend(StateAppendResponse.getDefaultInstance());
    } else {
      response.setClear(StateClearResponse.getDefaultInstance());
    }
    call.send(Buffer.buffer(response.build().toByteArray()));
  }

  private static ContinuableStream stream(StateAnswer.Page page) {
    ByteString data = ByteString.EMPTY;
    for (byte[] piece : page.pieces()) {
      data = data.concat(UnsafeByteOperations.unsafeWrap(piece));
    }
    ContinuableStream.Builder stream = ContinuableStream.newBuilder().setData(data);
    byte[] token = page.token();
    if (token != null) {
      stream.setContinuationToken(UnsafeByteOperations.unsafeWrap(token));
    }
    return stream.build();
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
