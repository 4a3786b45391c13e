package io.headgate.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The network that tests split: sockets stand for the members. */
class MemberNetworkTest {
  private static final int PATIENCE_MILLIS = (int) Duration.ofSeconds(20).toMillis();
  private static final int SILENCE_MILLIS = 200;

  private final List<Integer> ports = FreePorts.pick(2);
  private MemberNetwork network;
  private ServerSocket second;

  @BeforeEach
  void open() throws IOException {
    network = new MemberNetwork(ports);
    second = new ServerSocket();
    second.bind(new InetSocketAddress("127.0.1.2", ports.get(1)));
    second.setSoTimeout(PATIENCE_MILLIS);
  }

  @AfterEach
  void close() throws IOException {
    second.close();
    network.close();
  }

  /** As the first member connects to the second one. */
  private Socket call() throws IOException {
    Socket socket = new Socket();
    socket.bind(new InetSocketAddress("127.0.0.1", 0));
    socket.connect(new InetSocketAddress("127.0.0.2", ports.get(1)), PATIENCE_MILLIS);
    return socket;
  }

  private static void assertSilent(Socket socket) throws IOException {
    socket.setSoTimeout(SILENCE_MILLIS);
    assertThatThrownBy(() -> socket.getInputStream().read())
        .isInstanceOf(SocketTimeoutException.class);
    socket.setSoTimeout(PATIENCE_MILLIS);
  }

  @Test
  void what_is_sent_during_a_split_arrives_when_it_has_healed() throws IOException {
    try (Socket caller = call();
        Socket called = second.accept()) {
      caller.getOutputStream().write('a');
      assertThat(called.getInputStream().read()).isEqualTo('a');

      network.split(Set.of(0));
      caller.getOutputStream().write('b');
      called.getOutputStream().write('c');
      assertSilent(called);
      assertSilent(caller);

      network.heal();
      assertThat(called.getInputStream().read()).isEqualTo('b');
      assertThat(caller.getInputStream().read()).isEqualTo('c');
    }
  }

  @Test
  void who_leaves_during_a_split_is_missed_when_it_has_healed() throws IOException {
    try (Socket caller = call();
        Socket called = second.accept()) {
      network.split(Set.of(0));
      caller.close();
      assertSilent(called);
      network.heal();
      assertThat(called.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void who_calls_during_a_split_is_let_through_when_it_has_healed() throws IOException {
    network.split(Set.of(1));
    try (Socket caller = call()) {
      caller.getOutputStream().write('a');
      second.setSoTimeout(SILENCE_MILLIS);
      assertThatThrownBy(second::accept).isInstanceOf(SocketTimeoutException.class);
      second.setSoTimeout(PATIENCE_MILLIS);
      network.heal();
      try (Socket called = second.accept()) {
        assertThat(called.getInputStream().read()).isEqualTo('a');
      }
    }
  }

  @Test
  void an_unplugged_member_refuses_connections() throws IOException {
    network.unplug(1);
    assertThatThrownBy(this::call).isInstanceOf(ConnectException.class);
    network.plug(1);
    call().close();
  }
}
