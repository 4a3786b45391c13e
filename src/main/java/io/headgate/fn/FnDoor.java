package io.headgate.fn;

import io.headgate.fn.FnAnswer.Outcome;
import io.headgate.graph.DescriptorFault;
import io.headgate.graph.DescriptorGraphWriter;
import io.headgate.graph.Excess;
import io.headgate.observe.UnexpectedFailure;
import io.headgate.wire.CapExceededException;
import io.headgate.wire.CappedBuffer;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What runners and people may ask over HTTP (F3 to F5, F8): the Java API's questions, with answers
 * as bytes. Safe on any thread; never blocks. No answer completes exceptionally. Bodies are written
 * by workers, of which every caller must have one free.
 */
public final class FnDoor {
  private static final Logger log = LoggerFactory.getLogger(FnDoor.class);

  private final Supplier<FnRunner> runner;
  private final BundleRequest.Reader requests;
  private final DescriptorJson json;
  private final int descriptorBytes;
  private final int responseBytes;
  private final Executor workers;

  /**
   * @param runner once the port is open; fails before
   * @param requests reads what starts a bundle
   * @param json reads and writes descriptors as JSON
   * @param descriptorBytes how long a descriptor may be
   * @param responseBytes the most bytes of an answer
   */
  public FnDoor(
      Supplier<FnRunner> runner,
      BundleRequest.Reader requests,
      DescriptorJson json,
      int descriptorBytes,
      int responseBytes,
      Executor workers) {
    this.runner = runner;
    this.requests = requests;
    this.json = json;
    this.descriptorBytes = descriptorBytes;
    this.responseBytes = responseBytes;
    this.workers = workers;
  }

  /** How long a descriptor may be. */
  public int descriptorBytes() {
    return descriptorBytes;
  }

  /** The graph of a descriptor. */
  public CompletionStage<FnAnswer> lineage(String id) {
    return written(
        ask(asked -> asked.descriptor(id)),
        descriptor -> DescriptorGraphWriter.write(descriptor.graph(), responseBytes));
  }

  /**
   * Ids of descriptors, in order.
   *
   * @param after only ids behind this one; empty for all
   * @param most how many there should be at most
   */
  public CompletionStage<FnAnswer> descriptors(String after, int most) {
    return written(
        ask(asked -> asked.descriptors(after, most + 1)), // the last one tells that there are more
        ids ->
            FnPages.descriptors(
                ids.subList(0, Math.min(most, ids.size())), ids.size() > most, responseBytes));
  }

  /** The bytes of a descriptor as it is kept, without any endpoint. */
  public CompletionStage<FnAnswer> descriptor(String id) {
    return answered(
        ask(asked -> asked.descriptor(id))
            .thenApply(
                found -> new FnAnswer(Outcome.BYTES, "ok", found.stored(), found.stored().length)));
  }

  /** The same as JSON. */
  public CompletionStage<FnAnswer> descriptorAsJson(String id) {
    return answered(
        ask(asked -> asked.descriptor(id))
            .thenApplyAsync(
                found -> {
                  CappedBuffer body = json.write(found.stored(), responseBytes);
                  return body == null
                      ? FnAnswer.without(Outcome.NO_JSON_FORM, "no-json-form")
                      : ok(body);
                },
                workers));
  }

  /**
   * Checks a descriptor that comes as JSON, and keeps it.
   *
   * @param descriptor the bytes of the text
   */
  public CompletionStage<FnAnswer> registerJson(byte[] descriptor) {
    return answered(
        CompletableFuture.completedFuture(descriptor)
            .thenApplyAsync(text -> Optional.ofNullable(json.read(text)), workers)
            .thenCompose(
                bytes ->
                    bytes.isPresent()
                        ? register(bytes.get())
                        : CompletableFuture.completedStage(
                            FnAnswer.without(
                                Outcome.INVALID, DescriptorFault.UNREADABLE.label()))));
  }

  /**
   * Checks a descriptor and keeps it.
   *
   * @param descriptor its bytes; handed over
   */
  public CompletionStage<FnAnswer> register(byte[] descriptor) {
    return answered(
        ask(asked -> asked.register(Buffer.buffer(descriptor))).thenApply(this::registered));
  }

  private FnAnswer registered(Registration registration) {
    if (registration instanceof Registration.Kept kept) {
      return ok(FnPages.registered(kept.id(), kept.isNew(), responseBytes));
    }
    if (registration instanceof Registration.Refused refused) {
      return FnAnswer.without(Outcome.INVALID, refused.reason().label());
    }
    if (registration instanceof Registration.TooLarge large) {
      return FnAnswer.without(Outcome.TOO_LARGE, large.reason().label());
    }
    if (registration instanceof Registration.Conflict) {
      return FnAnswer.without(Outcome.CONFLICT, "conflict");
    }
    if (registration instanceof Registration.Full) {
      return FnAnswer.without(Outcome.FULL, "full");
    }
    boolean busy = registration instanceof Registration.Busy;
    return FnAnswer.without(Outcome.UNAVAILABLE, busy ? "busy" : "unavailable");
  }

  /** Forgets a descriptor, and the state under it that no bundle has. */
  public CompletionStage<FnAnswer> remove(String id) {
    return answered(
        ask(asked -> asked.remove(id))
            .thenApply(
                removed ->
                    removed
                        ? ok(FnPages.removed(id, responseBytes))
                        : FnAnswer.without(Outcome.NO_DESCRIPTOR, "no-descriptor")));
  }

  /** The harnesses of this gateway. */
  public CompletionStage<FnAnswer> harnesses() {
    return written(
        ask(FnRunner::harnesses), harnesses -> FnPages.harnesses(harnesses, responseBytes));
  }

  /** What is kept of a harness's log. */
  public CompletionStage<FnAnswer> log(String harness) {
    return written(
        ask(asked -> asked.log(harness)), lines -> FnPages.log(harness, lines, responseBytes));
  }

  /**
   * Starts a bundle.
   *
   * @param request the bytes of a {@code ProcessBundleRequest}
   */
  public CompletionStage<FnAnswer> start(String harness, byte[] request) {
    BundleRequest wish = requests.read(request);
    if (wish == null) {
      return CompletableFuture.completedStage(FnAnswer.without(Outcome.INVALID_BODY, "unreadable"));
    }
    return status(
        ask(asked -> asked.start(harness, wish.descriptorId(), wish.tokens()))
            .thenCompose(begun -> begun.status().toCompletionStage()));
  }

  /** How a bundle is. */
  public CompletionStage<FnAnswer> status(String bundle) {
    return status(
        ask(asked -> asked.bundle(bundle))
            .thenCompose(found -> found.status().toCompletionStage()));
  }

  /** Lets a bundle fail. */
  public CompletionStage<FnAnswer> cancel(String bundle) {
    return status(
        ask(asked -> asked.bundle(bundle))
            .thenCompose(found -> found.cancel().toCompletionStage()));
  }

  private CompletionStage<FnAnswer> status(CompletionStage<BundleStatus> status) {
    return written(status, bundle -> FnPages.bundle(bundle, responseBytes));
  }

  /** Asks the harness how far a bundle is. */
  public CompletionStage<FnAnswer> progress(String bundle) {
    return answered(
        ask(asked -> asked.bundle(bundle))
            .thenCompose(found -> found.progress().toCompletionStage())
            .thenApply(progress -> ok(FnPages.progress(progress, responseBytes))));
  }

  /** Asks the harness for a part of a bundle back: the bytes of its answer. */
  public CompletionStage<FnAnswer> split(String bundle, double fraction) {
    return answered(
        ask(asked -> asked.bundle(bundle))
            .thenCompose(found -> found.split(fraction).toCompletionStage())
            .thenApply(
                split -> {
                  byte[] bytes = split.splits().getBytes();
                  return new FnAnswer(Outcome.BYTES, "ok", bytes, bytes.length);
                }));
  }

  /** A bundle, for its streams; fails with an {@link FnRefusedException}. */
  public Future<BundleHandle> bundle(String id) {
    try {
      return runner.get().bundle(id);
    } catch (IllegalStateException e) {
      return Future.failedFuture(new FnRefusedException(Refusal.UNAVAILABLE)); // not open yet
    }
  }

  private <T> CompletionStage<T> ask(Function<FnRunner, Future<T>> question) {
    Future<T> asked;
    try {
      asked = question.apply(runner.get());
    } catch (IllegalStateException e) {
      asked = Future.failedFuture(new FnRefusedException(Refusal.UNAVAILABLE)); // not open yet
    }
    return asked.toCompletionStage();
  }

  private <T> CompletionStage<FnAnswer> written(
      CompletionStage<T> found, Function<T, CappedBuffer> write) {
    return answered(found.thenApplyAsync(value -> ok(write.apply(value)), workers));
  }

  private static FnAnswer ok(CappedBuffer body) {
    return new FnAnswer(Outcome.OK, "ok", body.array(), body.length());
  }

  private static CompletionStage<FnAnswer> answered(CompletionStage<FnAnswer> answer) {
    return answer.exceptionally(FnDoor::failed);
  }

  /** What is answered where nothing could be done. */
  public static FnAnswer failed(Throwable failure) {
    Throwable cause = UnexpectedFailure.cause(failure);
    if (cause instanceof FnRefusedException refused) {
      return switch (refused.reason()) {
        case NO_DESCRIPTOR -> FnAnswer.without(Outcome.NO_DESCRIPTOR, "no-descriptor");
        case NO_HARNESS -> FnAnswer.without(Outcome.NO_HARNESS, "no-harness");
        case NO_BUNDLE -> FnAnswer.without(Outcome.NO_BUNDLE, "no-bundle");
        case NO_PORT -> FnAnswer.without(Outcome.NO_PORT, "no-port");
        case PORT_TAKEN -> FnAnswer.without(Outcome.PORT_TAKEN, "port-taken");
        case NOT_AT_WORK -> FnAnswer.without(Outcome.NOT_AT_WORK, "not-at-work");
        case HARNESS_FAILED -> FnAnswer.without(Outcome.HARNESS_REFUSED, "harness-refused");
        case BUSY -> FnAnswer.without(Outcome.UNAVAILABLE, "busy");
        case UNAVAILABLE -> FnAnswer.without(Outcome.UNAVAILABLE, "unavailable");
      };
    }
    if (cause instanceof CapExceededException) {
      return FnAnswer.without(Outcome.TOO_LARGE, Excess.RESPONSE_BYTES.label());
    }
    if (cause instanceof RejectedExecutionException) {
      // There is a worker for every permit, so only a gateway that is being stopped has none.
      return FnAnswer.without(Outcome.UNAVAILABLE, "stopping");
    }
    UnexpectedFailure.report(log, "question of the Fn API", cause);
    return FnAnswer.without(Outcome.INTERNAL_ERROR, "internal");
  }
}
