package io.headgate.kit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/**
 * Ports for servers that must find the same port again after a restart. Nothing holds them until
 * then, so they come from below the range that systems take the ports of outgoing connections from.
 */
public final class FreePorts {
  private static final int FIRST = 20_000;
  private static final int LAST = 32_000;

  private FreePorts() {}

  /** So many ports that differ from each other and that nobody listens on now. */
  public static List<Integer> pick(int count) {
    return IntStream.generate(() -> ThreadLocalRandom.current().nextInt(FIRST, LAST))
        .distinct()
        .filter(FreePorts::isFree)
        .limit(count)
        .boxed()
        .toList();
  }

  private static boolean isFree(int port) {
    try (var socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
