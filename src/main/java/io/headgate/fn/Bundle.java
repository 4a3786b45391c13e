package io.headgate.fn;

import io.headgate.fn.BundleStatus.Phase;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One bundle, from its start to its end (F5 to F7). On the loop.
 *
 * <p><b>Its life.</b> First the harness is given the descriptor, unless it has it. Then it is told
 * to process, and the bundle runs: inputs flow as soon as every output has a reader, outputs flow
 * back, state is staged. It has succeeded when the harness has answered, every output has ended,
 * every reader has taken everything, no state request is pending, and then the state has been
 * committed; only now do readers see the end. Anything else that ends it is a failure.
 *
 * <p><b>What can't be undone.</b> There is no way to call a bundle off on the harness. A bundle
 * that fails while its harness is at work ends its inputs, so that the harness comes to an end, and
 * whatever still comes from there is dropped. Its instruction keeps its place until then.
 */
final class Bundle {
  private final String id;
  private final Harness harness;
  private final String descriptorId;
  private List<ControlLink.CacheToken> tokens;
  private final Loop loop;
  private final FnLimits limits;
  private final FnMeters meters;
  private final BundleState state;
  private final TreeMap<PortId, InputPort> inputs = new TreeMap<>();
  private final TreeMap<PortId, OutputPort> outputs = new TreeMap<>();
  private final List<Runnable> whenOver = new ArrayList<>();
  private final long startedAt;
  private Phase phase = Phase.REGISTERING;
  private @Nullable BundleFailure failure;
  private boolean sent;
  private boolean processed;

  /**
   * @param tokens what the harness may reuse; passed through
   */
  Bundle(
      String id,
      Harness harness,
      BundleDescriptor descriptor,
      List<ControlLink.CacheToken> tokens,
      BundleState state) {
    this.id = id;
    this.harness = harness;
    descriptorId = descriptor.id();
    this.tokens = List.copyOf(tokens);
    this.state = state;
    loop = harness.loop();
    limits = harness.limits();
    meters = harness.meters();
    startedAt = loop.nanos();
    for (PortId port : descriptor.inputs()) {
      inputs.put(port, new InputPort(id, port, harness.sender()));
    }
    for (PortId port : descriptor.outputs()) {
      outputs.put(port, new OutputPort(port, harness.flow(), loop, this::settle));
    }
  }

  String id() {
    return id;
  }

  Harness harness() {
    return harness;
  }

  Phase phase() {
    return phase;
  }

  /** How many inputs and outputs it has. */
  int ports() {
    return inputs.size() + outputs.size();
  }

  /** Begins. The harness has a Control stream and a free place. */
  void start(BundleDescriptor descriptor) {
    meters.started();
    harness
        .instructions()
        .begin(id, Answer.Processed.class, limits.bundleDeadline(), this::answered);
    harness.register(descriptor, this::registered);
  }

  private void registered(Answer answer) {
    if (phase != Phase.REGISTERING) {
      return;
    }
    if (!(answer instanceof Answer.Registered) || !harness.canSend()) {
      fail(
          answer instanceof Answer.Lost
              ? BundleFailure.HARNESS_LOST
              : BundleFailure.NOT_REGISTERED);
      return;
    }
    phase = Phase.RUNNING;
    sent = true;
    harness.process(id, descriptorId, tokens);
    tokens = List.of();
    settle();
  }

  /** What came of the instruction; may well be after the bundle's end. */
  private void answered(Answer answer) {
    inputs.values().forEach(harness.sender()::forget);
    if (phase.isEnd()) {
      return;
    }
    if (answer instanceof Answer.Processed && phase == Phase.RUNNING) {
      processed = true;
      inputs.values().forEach(input -> input.close(false));
      settle();
    } else if (answer instanceof Answer.Failed) {
      fail(BundleFailure.HARNESS_ERROR);
    } else if (answer instanceof Answer.Overdue) {
      fail(BundleFailure.DEADLINE);
    } else if (answer instanceof Answer.Lost) {
      fail(BundleFailure.HARNESS_LOST);
    } else {
      fail(BundleFailure.WRONG_RESPONSE);
    }
  }

  /** The input of this name, or null. */
  @Nullable InputPort input(PortId port) {
    return inputs.get(port);
  }

  /** The output of this name, or null. */
  @Nullable OutputPort output(PortId port) {
    return outputs.get(port);
  }

  /** A piece of an output came, or, if it is empty, its end. */
  void data(PortId port, Buffer piece) {
    OutputPort output = outputs.get(port);
    if (phase != Phase.RUNNING) {
      meters.dropped(Drop.INACTIVE_DATA);
    } else if (output == null) {
      fail(BundleFailure.UNKNOWN_PORT);
    } else if (output.ended()) {
      fail(BundleFailure.DATA_AFTER_END);
    } else if (piece.length() == 0) {
      output.end();
    } else {
      output.offer(piece);
    }
  }

  /** The Data stream is gone. */
  void dataLost() {
    boolean whole = true;
    for (OutputPort output : outputs.values()) {
      whole &= output.ended();
    }
    for (InputPort input : inputs.values()) {
      whole &= input.endSent();
    }
    if (!whole && phase == Phase.RUNNING) {
      fail(BundleFailure.DATA_LOST);
    }
  }

  /**
   * A state request came.
   *
   * @param answer told once
   */
  void state(StateRequest request, Consumer<StateAnswer> answer) {
    Consumer<StateAnswer> then =
        result -> {
          answer.accept(result);
          if (result instanceof StateAnswer.Refused && request.isWrite()) {
            fail(BundleFailure.STATE_WRITE_REFUSED);
          } else {
            settle();
          }
        };
    if (phase == Phase.RUNNING && !processed) {
      state.handle(request, then);
    } else {
      then.accept(new StateAnswer.Refused(StateRefusal.NOT_ACTIVE));
    }
  }

  /** Whether state requests of it await their answer. */
  boolean hasPendingState() {
    return state.pending() > 0;
  }

  /** Whether it may be asked for its progress, or for a split. */
  boolean isAtWork() {
    return phase == Phase.RUNNING && !processed;
  }

  /** Looks whether something has taken too long. */
  void check() {
    if (phase != Phase.RUNNING) {
      return;
    }
    long age = loop.nanos() - startedAt;
    boolean late = age >= limits.openWait().toNanos();
    for (OutputPort output : outputs.values()) {
      if (late && !output.isOpen()) {
        fail(BundleFailure.OUTPUT_NOT_OPENED);
        return;
      }
      if (output.idleNanos() >= limits.readIdle().toNanos()) {
        fail(BundleFailure.READER_IDLE);
        return;
      }
    }
    if (age >= limits.bundleDeadline().toNanos()) {
      fail(BundleFailure.DEADLINE);
    }
  }

  /** Something changed: goes on to what it allows. */
  private void settle() {
    if (phase != Phase.RUNNING) {
      return;
    }
    boolean open = true;
    boolean drained = true;
    for (OutputPort output : outputs.values()) {
      open &= output.isOpen();
      drained &= output.drained();
    }
    if (open && !processed) {
      inputs.values().forEach(InputPort::flow);
    }
    if (processed && drained && open && state.pending() == 0 && phase == Phase.RUNNING) {
      phase = Phase.COMMITTING;
      state.commit(this::committed);
    }
  }

  private void committed(@Nullable BundleFailure reason) {
    if (reason == null) {
      phase = Phase.SUCCEEDED;
      meters.succeeded();
      outputs.values().forEach(OutputPort::finish);
      over();
    } else {
      end(reason);
    }
  }

  /** Ends it, unless it is over or nothing can be undone any more. */
  void fail(BundleFailure reason) {
    if (!phase.isEnd() && phase != Phase.COMMITTING) {
      end(reason);
    }
  }

  private void end(BundleFailure reason) {
    phase = Phase.FAILED;
    failure = reason;
    meters.failed(reason);
    state.rollBack();
    tokens = List.of();
    boolean reading = sent && harness.instructions().contains(id);
    inputs.values().forEach(input -> input.close(reading));
    outputs.values().forEach(output -> output.fail(reason));
    over();
  }

  private void over() {
    harness.bundleOver(this);
    List<Runnable> all = List.copyOf(whenOver);
    whenOver.clear();
    all.forEach(Runnable::run);
  }

  /** Has {@code task} run when it is over; at once if it is. */
  void whenOver(Runnable task) {
    if (phase.isEnd()) {
      task.run();
    } else {
      whenOver.add(task);
    }
  }

  /** How it is now. */
  BundleStatus status() {
    return new BundleStatus(
        id,
        harness.id(),
        descriptorId,
        phase,
        failure,
        inputs.values().stream()
            .map(input -> new BundleStatus.Input(input.id(), input.bytes(), input.ended()))
            .toList(),
        outputs.values().stream()
            .map(
                output ->
                    new BundleStatus.Output(
                        output.id(), output.bytes(), output.isOpen(), output.ended()))
            .toList());
  }
}
