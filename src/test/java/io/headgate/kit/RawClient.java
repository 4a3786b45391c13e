package io.headgate.kit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;

/** A client that sends exactly what a test says and shows exactly what came back. */
public final class RawClient implements AutoCloseable {
  private final Socket socket;

  public RawClient(int port) {
    this(connect(port));
  }

  /** Over a socket that is connected already, with TLS for example. */
  public RawClient(Socket socket) {
    this.socket = socket;
    try {
      socket.setTcpNoDelay(true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Socket connect(int port) {
    try {
      return new Socket(InetAddress.getLoopbackAddress(), port);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public RawClient send(String latin1) {
    return send(latin1.getBytes(StandardCharsets.ISO_8859_1));
  }

  public RawClient send(byte[] bytes) {
    try {
      socket.getOutputStream().write(bytes);
      socket.getOutputStream().flush();
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Everything until the other side closes, or until nothing comes for a while. */
  public Received receive(Duration patience) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    byte[] piece = new byte[64 * 1024];
    try {
      socket.setSoTimeout((int) patience.toMillis());
      InputStream in = socket.getInputStream();
      for (int n = in.read(piece); n >= 0; n = in.read(piece)) {
        bytes.write(piece, 0, n);
      }
      return new Received(bytes.toByteArray(), true);
    } catch (SocketTimeoutException e) {
      return new Received(bytes.toByteArray(), false);
    } catch (SocketException e) {
      return new Received(bytes.toByteArray(), true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads at most this many bytes, or fewer where the other side closes or pauses. */
  public int read(int most, Duration patience) {
    try {
      socket.setSoTimeout((int) patience.toMillis());
      return socket.getInputStream().readNBytes(most).length;
    } catch (SocketTimeoutException | SocketException e) {
      return -1;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The next bytes, this many or fewer where the other side closes. */
  public byte[] bytes(int most, Duration patience) {
    try {
      socket.setSoTimeout((int) patience.toMillis());
      return socket.getInputStream().readNBytes(most);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The next response, which has a body of a known length; what follows it stays unread. */
  public RawResponse response(Duration patience) {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
      byte[] next = bytes(1, patience);
      if (next.length == 0) {
        throw new AssertionError("closed in front of or in a head: " + head);
      }
      head.writeBytes(next);
    }
    String lines = head.toString(StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
    int at = lines.indexOf("\r\ncontent-length: ");
    if (at >= 0) {
      String length = lines.substring(at + 18, lines.indexOf('\r', at + 2));
      head.writeBytes(bytes(Integer.parseInt(length), patience));
    }
    return RawResponse.all(head.toByteArray()).get(0);
  }

  /** Breaks the connection with a TCP reset, whatever is unread or unsent. */
  public void reset() {
    try {
      socket.setSoLinger(true, 0);
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Sends this, or as much of it as is taken, and leaves.
   *
   * @param how 0 with a reset, perhaps in the midst of an answer; 1 with a reset at once; 2 with an
   *     orderly end
   */
  public static void disconnect(int port, byte[] sent, int how) {
    RawClient client = new RawClient(port);
    try {
      client.send(sent);
      if (how == 0) {
        client.read(1, Duration.ofMillis(2));
      }
    } catch (UncheckedIOException e) {
      // It was refused before all was sent.
    }
    if (how == 2) {
      client.close();
    } else {
      client.reset();
    }
  }

  public Socket socket() {
    return socket;
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * What came back.
   *
   * @param bytes all of it
   * @param closed whether the other side closed
   */
  public record Received(byte[] bytes, boolean closed) {
    public String text() {
      return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /** The status of the first response, or 0 if there is none. */
    public int status() {
      String text = text();
      return text.matches("(?s)HTTP/1\\.1 \\d{3}.*") ? Integer.parseInt(text.substring(9, 12)) : 0;
    }

    /** How many responses there are. */
    public int responses() {
      return text().split("HTTP/1\\.1 \\d{3}", -1).length - 1;
    }
  }
}
