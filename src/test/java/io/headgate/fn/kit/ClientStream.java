package io.headgate.fn.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One stream of a harness, with what came on it. Credit is given by hand, message by message. */
public final class ClientStream<Q, A> {
  private static final long PATIENCE_SECONDS = 30;

  private final ClientCall<Q, A> call;
  private final BlockingQueue<A> received = new LinkedBlockingQueue<>();
  private final CompletableFuture<Status> ended = new CompletableFuture<>();
  private final CompletableFuture<Boolean> accepted = new CompletableFuture<>();
  private volatile @Nullable Consumer<A> handler;
  private volatile Runnable onReady = () -> {};

  private ClientStream(ClientCall<Q, A> call) {
    this.call = call;
  }

  /** Opens the call with these headers, and lets {@code credit} messages come. */
  public static <Q, A> ClientStream<Q, A> open(
      ManagedChannel channel, MethodDescriptor<Q, A> method, Metadata headers, int credit) {
    ClientStream<Q, A> stream = new ClientStream<>(channel.newCall(method, CallOptions.DEFAULT));
    stream.call.start(stream.new Listener(), headers);
    if (credit > 0) {
      stream.call.request(credit);
    }
    return stream;
  }

  private final class Listener extends ClientCall.Listener<A> {
    @Override
    public void onHeaders(Metadata headers) {
      accepted.complete(true);
    }

    @Override
    public void onMessage(A message) {
      Consumer<A> current = handler;
      if (current == null) {
        received.add(message);
      } else {
        current.accept(message);
      }
    }

    @Override
    public void onReady() {
      onReady.run();
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      accepted.complete(false);
      ended.complete(status);
    }
  }

  /** From now on messages go to {@code newHandler}, on a thread of gRPC's. */
  public ClientStream<Q, A> handler(Consumer<A> newHandler) {
    handler = newHandler;
    for (A early = received.poll(); early != null; early = received.poll()) {
      newHandler.accept(early);
    }
    return this;
  }

  public ClientStream<Q, A> onReady(Runnable task) {
    onReady = task;
    return this;
  }

  public ClientStream<Q, A> send(Q message) {
    call.sendMessage(message);
    return this;
  }

  public boolean isReady() {
    return call.isReady();
  }

  public void request(int messages) {
    call.request(messages);
  }

  /** The next message; fails if none comes. */
  public A next() {
    try {
      A message = received.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      assertThat(message).as("a message on %s", call).isNotNull();
      return message;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What has come and nobody has taken. */
  public int waiting() {
    return received.size();
  }

  public void halfClose() {
    call.halfClose();
  }

  /** Resets it. */
  public void cancel() {
    call.cancel("reset by the test", null);
  }

  /** Whether the gateway has let it in. */
  public boolean accepted() {
    return await(accepted);
  }

  public boolean isOver() {
    return ended.isDone();
  }

  /** How it ended; fails if it does not. */
  public Status.Code ended() {
    return await(ended).getCode();
  }

  private static <T> T await(CompletableFuture<T> future) {
    try {
      return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }
}
