package io.headgate.fn.kit;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.headgate.fn.BundleHandle;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.beam.fn.v1.BeamFnApi.ContinuableStream;
import org.apache.beam.fn.v1.BeamFnApi.StateAppendRequest;
import org.apache.beam.fn.v1.BeamFnApi.StateClearRequest;
import org.apache.beam.fn.v1.BeamFnApi.StateGetRequest;
import org.apache.beam.fn.v1.BeamFnApi.StateKey;
import org.apache.beam.fn.v1.BeamFnApi.StateRequest;
import org.apache.beam.fn.v1.BeamFnApi.StateResponse;
import org.jspecify.annotations.Nullable;

/** A harness's view of state for one bundle, one request at a time. */
public final class StateClient {
  private static final AtomicInteger IDS = new AtomicInteger();

  private final TestHarness harness;
  private final String bundle;

  public StateClient(TestHarness harness, BundleHandle bundle) {
    this(harness, bundle.id());
  }

  /** For the bundle of this id. */
  public StateClient(TestHarness harness, String bundle) {
    this.harness = harness;
    this.bundle = bundle;
  }

  /** The whole value, page by page. */
  public String read(StateKey cell) {
    ByteString all = ByteString.EMPTY;
    ByteString token = null;
    do {
      StateResponse response = get(cell, token);
      assertThat(response.getError()).isEmpty();
      ContinuableStream page = response.getGet().getStream();
      all = all.concat(page.getData());
      token = page.getContinuationToken();
    } while (!token.isEmpty());
    return all.toStringUtf8();
  }

  public StateResponse get(StateKey cell, @Nullable ByteString token) {
    StateGetRequest.Builder get = StateGetRequest.newBuilder();
    if (token != null) {
      get.setContinuationToken(token);
    }
    return ask(cell, request -> request.setGet(get));
  }

  public void append(StateKey cell, String text) {
    append(cell, ByteString.copyFromUtf8(text));
  }

  public void append(StateKey cell, ByteString data) {
    StateResponse response = sendAppend(cell, data);
    assertThat(response.getError()).isEmpty();
    assertThat(response.hasAppend()).isTrue();
  }

  public StateResponse sendAppend(StateKey cell, String text) {
    return sendAppend(cell, ByteString.copyFromUtf8(text));
  }

  public StateResponse sendAppend(StateKey cell, ByteString data) {
    return ask(cell, request -> request.setAppend(StateAppendRequest.newBuilder().setData(data)));
  }

  public void clear(StateKey cell) {
    StateResponse response =
        ask(cell, request -> request.setClear(StateClearRequest.getDefaultInstance()));
    assertThat(response.getError()).isEmpty();
    assertThat(response.hasClear()).isTrue();
  }

  /** Sends an append and waits for nothing. */
  public void post(StateKey cell, ByteString data) {
    harness
        .state()
        .send(request(cell).setAppend(StateAppendRequest.newBuilder().setData(data)).build());
  }

  private StateRequest.Builder request(StateKey cell) {
    return StateRequest.newBuilder()
        .setId("r" + IDS.incrementAndGet())
        .setInstructionReference(bundle)
        .setStateKey(cell);
  }

  private StateResponse ask(
      StateKey cell, java.util.function.Consumer<StateRequest.Builder> action) {
    StateRequest.Builder request = request(cell);
    action.accept(request);
    harness.state().send(request.build());
    StateResponse response = harness.state().next();
    assertThat(response.getId()).isEqualTo(request.getId());
    return response;
  }
}
