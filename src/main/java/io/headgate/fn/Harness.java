package io.headgate.fn;

import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One SDK harness: its four streams, each of which may come, go and come back; what it knows; and
 * the bundles that it runs. On the loop.
 *
 * <p>The adapter of the protocol opens a stream with {@code open…}, which fails if there is one
 * already, passes on what comes, and says when it has ended. A harness without Control stream runs
 * nothing. One without any stream has left; its log is kept for a while.
 */
public final class Harness {
  /** Descriptors that it is known to have; the least recently used is forgotten. */
  private static final int REGISTERED = 1_024;

  private final String id;
  private final @Nullable String subject;
  private final Loop loop;
  private final FnLimits limits;
  private final FnMeters meters;
  private final InstructionIds ids;
  private final Instructions instructions;
  private final InputSender sender;
  private final OutputFlow flow;
  private final StateDesk desk;
  private final HarnessLog log;
  private final Map<String, Bundle> bundles = new HashMap<>();

  /** Digests of descriptors that it has, by id. Whatever is forgotten here is sent once more. */
  private final Map<String, String> registered =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
          return size() > REGISTERED;
        }
      };

  private final Map<String, List<Consumer<Answer>>> registering = new HashMap<>();
  private @Nullable ControlLink control;
  private @Nullable DataLink data;
  private boolean logging;
  private long leftAt;

  /**
   * @param subject whose token opened its first stream, or null if none was asked for
   */
  Harness(
      String id,
      @Nullable String subject,
      Loop loop,
      FnLimits limits,
      FnMeters meters,
      InstructionIds ids,
      HeldBytes held) {
    this.id = id;
    this.subject = subject;
    this.loop = loop;
    this.limits = limits;
    this.meters = meters;
    this.ids = ids;
    instructions = new Instructions(limits.outstanding(), loop, meters);
    sender = new InputSender(meters);
    flow = new OutputFlow(held, limits.streamBytes(), meters);
    desk = new StateDesk(bundles::get, meters);
    log = new HarnessLog(id, limits, loop, meters);
    leftAt = loop.nanos();
  }

  /** The id that it gives, perhaps empty. Foreign text. */
  public String id() {
    return id;
  }

  @Nullable String subject() {
    return subject;
  }

  Loop loop() {
    return loop;
  }

  FnLimits limits() {
    return limits;
  }

  FnMeters meters() {
    return meters;
  }

  Instructions instructions() {
    return instructions;
  }

  InputSender sender() {
    return sender;
  }

  OutputFlow flow() {
    return flow;
  }

  /** Its log; takes entries from its Logging stream. */
  public HarnessLog log() {
    return log;
  }

  // Control

  /** A Control stream came; false if there is one. */
  public boolean openControl(ControlLink link) {
    if (control != null) {
      return false;
    }
    control = link;
    return true;
  }

  /** The Control stream ended or broke: everything that it was doing has failed. */
  public void controlEnded() {
    control = null;
    registered.clear();
    instructions.lost();
    for (Bundle bundle : new ArrayList<>(bundles.values())) {
      bundle.fail(BundleFailure.HARNESS_LOST);
    }
    noteLeft();
  }

  /** A response came; one to nothing outstanding is counted and ignored. */
  public void answered(String instruction, Answer answer) {
    if (answer instanceof Answer.Failed failed && log.admit()) {
      log.add(errorLine(instruction, failed.error()));
    }
    instructions.answered(instruction, answer);
  }

  private static LogLine errorLine(String instruction, String error) {
    return new LogLine(
        LogLine.Severity.ERROR, java.time.Instant.now(), error, "", instruction, "", "", "");
  }

  /** Whether it has a Control stream. */
  boolean isConnected() {
    return control != null;
  }

  /** Whether an instruction would get through now. */
  boolean canSend() {
    return control != null && control.hasRoom();
  }

  /** Whether it can take on a bundle through this descriptor now. */
  boolean hasPlaceFor(BundleDescriptor descriptor) {
    boolean known =
        registered.containsKey(descriptor.id()) || registering.containsKey(descriptor.id());
    return canSend() && instructions.free() >= (known ? 1 : 2);
  }

  /** Takes note of a bundle that is about to start. */
  void add(Bundle bundle) {
    bundles.put(bundle.id(), bundle);
  }

  /**
   * Makes sure that it has the descriptor (F3): sent once for each Control stream, however many
   * bundles wait for it.
   *
   * @param whenDone told once
   */
  void register(BundleDescriptor descriptor, Consumer<Answer> whenDone) {
    String known = registered.get(descriptor.id());
    if (known != null) {
      // One that was forgotten and registered anew in another form: harnesses keep what they have.
      boolean same = known.equals(descriptor.digest());
      whenDone.accept(same ? new Answer.Registered() : new Answer.Unfit());
      return;
    }
    List<Consumer<Answer>> waiting = registering.get(descriptor.id());
    if (waiting != null) {
      waiting.add(whenDone);
      return;
    }
    List<Consumer<Answer>> first = new ArrayList<>(List.of(whenDone));
    registering.put(descriptor.id(), first);
    ask(
        Answer.Registered.class,
        limits.instructionDeadline(),
        (link, instruction) -> link.register(instruction, descriptor.wire()),
        answer -> {
          registering.remove(descriptor.id());
          if (answer instanceof Answer.Registered) {
            registered.put(descriptor.id(), descriptor.digest());
          }
          first.forEach(each -> each.accept(answer));
        });
  }

  /** Starts a bundle whose place has been taken. */
  void process(String bundle, String descriptorId, List<ControlLink.CacheToken> tokens) {
    if (control != null) {
      control.process(bundle, descriptorId, tokens);
    }
  }

  /** Asks how far a bundle is. */
  void progress(Bundle bundle, Consumer<Answer> whenDone) {
    ask(
        Answer.Progress.class,
        limits.instructionDeadline(),
        (link, instruction) -> link.progress(instruction, bundle.id()),
        whenDone);
  }

  /** Asks for a part of a bundle back. */
  void split(Bundle bundle, double fraction, Consumer<Answer> whenDone) {
    ask(
        Answer.Split.class,
        limits.instructionDeadline(),
        (link, instruction) -> link.split(instruction, bundle.id(), fraction),
        whenDone);
  }

  /** How an instruction goes out. */
  private interface Sending {
    void send(ControlLink link, String instruction);
  }

  private void ask(
      Class<? extends Answer> expected,
      Duration deadline,
      Sending sending,
      Consumer<Answer> whenDone) {
    ControlLink link = control;
    if (link == null) {
      whenDone.accept(new Answer.Lost());
    } else if (!link.hasRoom() || instructions.free() == 0) {
      meters.busy();
      whenDone.accept(new Answer.Busy());
    } else {
      String instruction = ids.next();
      instructions.begin(instruction, expected, deadline, whenDone);
      sending.send(link, instruction);
    }
  }

  /** A bundle has ended; what still comes for it is dropped. */
  void bundleOver(Bundle bundle) {
    bundles.remove(bundle.id(), bundle);
  }

  /** Its bundles that are not over. */
  List<Bundle> bundles() {
    return new ArrayList<>(bundles.values());
  }

  // Data

  /** A Data stream came; false if there is one. */
  public boolean openData(DataLink link) {
    if (data != null) {
      return false;
    }
    data = link;
    flow.use(link);
    sender.use(link);
    return true;
  }

  /** Bytes of a logical stream came; none end it. They are handed over. */
  public void data(String bundle, PortId port, Buffer piece) {
    meters.received(piece.length());
    Bundle found = bundles.get(bundle);
    if (found == null) {
      meters.dropped(Drop.INACTIVE_DATA);
    } else {
      found.data(port, piece);
    }
  }

  /** The Data stream takes pieces again. */
  public void dataHasRoom() {
    sender.send();
  }

  /** The Data stream ended or broke: bundles that are not whole have failed (F6). */
  public void dataEnded() {
    data = null;
    flow.use(null);
    sender.use(null);
    bundles().forEach(Bundle::dataLost);
    noteLeft();
  }

  // State

  /** A State stream came; false if there is one. */
  public boolean openState(StateLink link) {
    if (desk.isOpen()) {
      return false;
    }
    desk.use(link);
    return true;
  }

  /**
   * A state request came.
   *
   * @param wish what it asks for, or null if that makes no sense
   */
  public void stateRequest(String request, String bundle, @Nullable StateRequest wish) {
    desk.request(request, bundle, wish);
  }

  /** The State stream takes answers again. */
  public void stateHasRoom() {
    desk.work();
  }

  /** A state request could not be read, so nobody knows whose it was. */
  public void stateLost() {
    bundles().forEach(bundle -> bundle.fail(BundleFailure.STATE_LOST));
  }

  /** The State stream ended or broke; what it asked for and got no answer has failed. */
  public void stateEnded() {
    desk.use(null);
    bundles().stream()
        .filter(Bundle::hasPendingState)
        .forEach(bundle -> bundle.fail(BundleFailure.STATE_LOST));
    noteLeft();
  }

  // Logging

  /** A Logging stream came; false if there is one. */
  public boolean openLogging() {
    if (logging) {
      return false;
    }
    logging = true;
    return true;
  }

  /** The Logging stream ended or broke. */
  public void loggingEnded() {
    logging = false;
    noteLeft();
  }

  // Coming and going

  private void noteLeft() {
    leftAt = loop.nanos();
  }

  /** Whether it has no stream open. */
  boolean hasLeft() {
    return control == null && data == null && !desk.isOpen() && !logging;
  }

  /** When its last stream went, if it has left. */
  long leftAt() {
    return leftAt;
  }

  /** How it is, for people. */
  HarnessStatus status() {
    return new HarnessStatus(
        id,
        control != null,
        data != null,
        desk.isOpen(),
        logging,
        bundles.size(),
        instructions.size(),
        log.ring().bytes());
  }
}
