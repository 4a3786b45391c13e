package io.headgate.kit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The network between the Hazelcast members of several gateways, which a test may split and heal.
 * Needs no privileges and nothing of the product, but the loopback addresses of Linux.
 *
 * <p>Every member is known to the others by a loopback address of its own, {@code 127.0.0.1}
 * upwards, and listens on another one, {@code 127.0.1.1} upwards; two properties of Hazelcast say
 * so. Here listens a proxy in front of each. Members bind outgoing connections to the address they
 * are known by (bind.any is off), so the proxy sees who calls.
 *
 * <p>A split loses nothing and tells nobody, as a real one: bytes under way wait, connections stay
 * open, new ones are accepted and hear nothing. Healing lets everything through, however old.
 */
public final class MemberNetwork implements AutoCloseable {
  private static final int LAST_BYTE = 3;
  private static final int PIECE = 64 * 1024;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Integer> ports;

  // All guarded by this.
  private final List<@Nullable Door> doors = new ArrayList<>();
  private final Set<Socket> sockets = new HashSet<>();
  private List<Set<Integer>> sides = List.of();
  private boolean closed;

  /**
   * Where connections to a member arrive.
   *
   * @param accepting done when nobody waits for one any more; before that the port is not free
   */
  private record Door(ServerSocket socket, Future<?> accepting) {}

  /**
   * @param ports the member port of each
   */
  public MemberNetwork(List<Integer> ports) {
    this.ports = List.copyOf(ports);
    for (int member = 0; member < ports.size(); member++) {
      doors.add(null);
      plug(member);
    }
  }

  /** How the others know a member: host and port. */
  public String address(int member) {
    return knownHost(member) + ":" + ports.get(member);
  }

  /** What the JVM of a member must be told, besides a port and the addresses of all members. */
  public List<String> jvmOptions(int member) {
    return List.of(
        "-Dhazelcast.local.localAddress=" + boundHost(member),
        "-Dhazelcast.local.publicAddress=" + address(member));
  }

  private static String knownHost(int member) {
    return "127.0.0." + (member + 1);
  }

  private static String boundHost(int member) {
    return "127.0.1." + (member + 1);
  }

  /**
   * From now on no byte passes from one of these sides to another, nor between them and those who
   * are on none.
   */
  @SafeVarargs
  public final synchronized void split(Set<Integer>... newSides) {
    sides = List.of(newSides);
  }

  /** Everything passes again, beginning with what was held. */
  public synchronized void heal() {
    sides = List.of();
    notifyAll();
  }

  /** Refuses connections to a member, as its system does once its process is gone. */
  public synchronized void unplug(int member) {
    Door door = doors.set(member, null);
    if (door != null) {
      closeQuietly(door.socket());
      try {
        door.accepting().get(20, TimeUnit.SECONDS);
      } catch (InterruptedException | ExecutionException | TimeoutException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Accepts connections to a member. */
  public synchronized void plug(int member) {
    if (doors.get(member) != null) {
      return;
    }
    try {
      ServerSocket socket = new ServerSocket();
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(knownHost(member), ports.get(member)));
      doors.set(member, new Door(socket, threads.submit(() -> acceptAll(socket, member))));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void acceptAll(ServerSocket door, int to) {
    while (!door.isClosed()) {
      try {
        Socket caller = door.accept();
        threads.execute(() -> connect(caller, to));
      } catch (IOException e) {
        closeQuietly(door);
      }
    }
  }

  private void connect(Socket caller, int to) {
    int from = caller.getInetAddress().getAddress()[LAST_BYTE] - 1;
    Socket called = new Socket();
    try {
      remember(caller);
      remember(called);
      awaitLink(from, to);
      called.connect(new InetSocketAddress(boundHost(to), ports.get(to)));
      caller.setTcpNoDelay(true);
      called.setTcpNoDelay(true);
      threads.execute(() -> pass(called, caller, from, to));
      pass(caller, called, from, to);
    } catch (IOException e) {
      forget(caller);
      forget(called);
    }
  }

  /** Until one side ends. The other hears of it when it can. */
  private void pass(Socket source, Socket sink, int from, int to) {
    byte[] piece = new byte[PIECE];
    try {
      InputStream in = source.getInputStream();
      OutputStream out = sink.getOutputStream();
      for (int n = in.read(piece); n >= 0; n = in.read(piece)) {
        awaitLink(from, to);
        out.write(piece, 0, n);
      }
    } catch (IOException e) {
      // Both ends hear of it below.
    } finally {
      awaitLink(from, to);
      forget(source);
      forget(sink);
    }
  }

  private synchronized void awaitLink(int from, int to) {
    while (!closed && sides.stream().anyMatch(s -> s.contains(from) != s.contains(to))) {
      try {
        wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private synchronized void remember(Socket socket) throws IOException {
    if (closed) {
      throw new IOException("closed");
    }
    sockets.add(socket);
  }

  private synchronized void forget(Socket socket) {
    sockets.remove(socket);
    closeQuietly(socket);
  }

  private static void closeQuietly(AutoCloseable socket) {
    try {
      socket.close();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    notifyAll();
    for (int member = 0; member < ports.size(); member++) {
      unplug(member);
    }
    List.copyOf(sockets).forEach(this::forget);
    threads.shutdown();
  }
}
