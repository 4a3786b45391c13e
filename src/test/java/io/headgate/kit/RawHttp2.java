package io.headgate.kit;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * An HTTP/2 client that sends the frames that a test says, right or wrong, and keeps every frame
 * that comes back. A thread of its own reads, so a flood never stops for want of reading.
 */
public final class RawHttp2 implements AutoCloseable {
  public static final int DATA = 0;
  public static final int HEADERS = 1;
  public static final int PRIORITY = 2;
  public static final int RST_STREAM = 3;
  public static final int SETTINGS = 4;
  public static final int PING = 6;
  public static final int GOAWAY = 7;
  public static final int WINDOW_UPDATE = 8;
  public static final int CONTINUATION = 9;

  public static final int END_STREAM = 1;
  public static final int ACK = 1;
  public static final int END_HEADERS = 4;
  private static final int PRIORITY_FLAG = 0x20;

  public static final int MAX_CONCURRENT_STREAMS = 3;
  public static final int INITIAL_WINDOW_SIZE = 4;

  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private final Socket socket;
  private final OutputStream out;
  private final List<Frame> frames = new ArrayList<>();
  private final Map<Integer, Answer> answers = new TreeMap<>();
  private volatile boolean closed;
  private boolean broken;

  /** A frame that came back. */
  public record Frame(int type, int flags, int stream, byte[] payload) {
    /** The error code of a RST_STREAM or GOAWAY frame. */
    public int error() {
      int at = type == GOAWAY ? 4 : 0;
      return (payload[at] & 0xFF) << 24
          | (payload[at + 1] & 0xFF) << 16
          | (payload[at + 2] & 0xFF) << 8
          | payload[at + 3] & 0xFF;
    }

    /** Bytes of a HEADERS frame that say something of priority. */
    private int skip() {
      return (flags & PRIORITY_FLAG) == 0 ? 0 : 5;
    }

    private boolean ends() {
      return (type == DATA || type == HEADERS) && (flags & END_STREAM) != 0;
    }
  }

  /** What came back on one stream so far. */
  public static final class Answer {
    private final Map<String, String> headers = new TreeMap<>();
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private boolean ended;
    private OptionalInt reset = OptionalInt.empty();

    /** The status, or 0 before there is one. */
    public int status() {
      return Integer.parseInt(headers.getOrDefault(":status", "0"));
    }

    /** All headers, the status among them. */
    public Map<String, String> headers() {
      return headers;
    }

    public String body() {
      return body.toString(StandardCharsets.UTF_8);
    }

    /** Whether it came whole. */
    public boolean ended() {
      return ended;
    }

    /** The error code with which the stream was reset. */
    public OptionalInt reset() {
      return reset;
    }
  }

  /** Over clear text, with prior knowledge; the preface is sent. */
  public RawHttp2(int port) {
    this(connect(port));
  }

  /** Over a connected socket; the preface is sent. */
  public RawHttp2(Socket socket) {
    this.socket = socket;
    try {
      socket.setTcpNoDelay(true);
      out = new BufferedOutputStream(socket.getOutputStream(), 1 << 16);
      out.write(PREFACE.getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread reader = new Thread(this::read, "raw-http2");
    reader.setDaemon(true);
    reader.start();
  }

  private static Socket connect(int port) {
    try {
      return new Socket(InetAddress.getLoopbackAddress(), port);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  // --- sending

  /** Puts a frame into the buffer; once the connection is broken, does nothing. */
  public RawHttp2 send(int type, int flags, int stream, byte... payload) {
    return write(frame(type, flags, stream, payload));
  }

  /** The bytes of a frame. */
  public static byte[] frame(int type, int flags, int stream, byte... payload) {
    byte[] frame = new byte[9 + payload.length];
    frame[0] = (byte) (payload.length >> 16);
    frame[1] = (byte) (payload.length >> 8);
    frame[2] = (byte) payload.length;
    frame[3] = (byte) type;
    frame[4] = (byte) flags;
    System.arraycopy(int32(stream), 0, frame, 5, 4);
    System.arraycopy(payload, 0, frame, 9, payload.length);
    return frame;
  }

  /** Puts bytes into the buffer, whatever they are. */
  public RawHttp2 write(byte[] bytes) {
    try {
      if (!broken) {
        out.write(bytes);
      }
    } catch (IOException e) {
      broken = true;
    }
    return this;
  }

  /** Sends what is in the buffer. */
  public RawHttp2 flush() {
    try {
      if (!broken) {
        out.flush();
      }
    } catch (IOException e) {
      broken = true;
    }
    return this;
  }

  /** Whether a write failed, so that the other side does not read any more. */
  public boolean broken() {
    return broken;
  }

  /** A SETTINGS frame of these identifiers and values. */
  public RawHttp2 settings(int... identifiersAndValues) {
    ByteArrayOutputStream payload = new ByteArrayOutputStream();
    for (int i = 0; i < identifiersAndValues.length; i += 2) {
      payload.write(identifiersAndValues[i] >> 8);
      payload.write(identifiersAndValues[i]);
      payload.writeBytes(int32(identifiersAndValues[i + 1]));
    }
    return send(SETTINGS, 0, 0, payload.toByteArray());
  }

  /** A whole request without content. */
  public RawHttp2 request(int stream, String method, String path, String... headers) {
    return send(HEADERS, END_HEADERS | END_STREAM, stream, head(method, path, headers));
  }

  public RawHttp2 get(int stream, String path, String... headers) {
    return request(stream, "GET", path, headers);
  }

  /** The client gives the server room for this many bytes more; on stream 0 for all together. */
  public RawHttp2 window(int stream, int bytes) {
    return send(WINDOW_UPDATE, 0, stream, int32(bytes));
  }

  public RawHttp2 reset(int stream, int error) {
    return send(RST_STREAM, 0, stream, int32(error));
  }

  /** The header block of a request to {@code localhost}. */
  public static byte[] head(String method, String path, String... headers) {
    String[] all = new String[8 + headers.length];
    System.arraycopy(
        new String[] {
          ":method", method, ":scheme", "http", ":path", path, ":authority", "localhost"
        },
        0,
        all,
        0,
        8);
    System.arraycopy(headers, 0, all, 8, headers.length);
    return block(all);
  }

  /** A header block of just these names and values, each as a literal that is not indexed. */
  public static byte[] block(String... namesAndValues) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      block.write(0);
      string(block, namesAndValues[i]);
      string(block, namesAndValues[i + 1]);
    }
    return block.toByteArray();
  }

  private static void string(ByteArrayOutputStream block, String latin1) {
    int length = latin1.length();
    if (length < 127) {
      block.write(length);
    } else {
      block.write(127);
      int rest = length - 127;
      for (; rest >= 128; rest >>= 7) {
        block.write(rest & 127 | 128);
      }
      block.write(rest);
    }
    block.writeBytes(latin1.getBytes(StandardCharsets.ISO_8859_1));
  }

  public static byte[] int32(int value) {
    return new byte[] {
      (byte) (value >> 24), (byte) (value >> 16), (byte) (value >> 8), (byte) value
    };
  }

  // --- receiving

  private void read() {
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(socket.getInputStream()))) {
      DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder(false);
      while (true) {
        byte[] head = in.readNBytes(9);
        if (head.length < 9) {
          return;
        }
        int length = (head[0] & 0xFF) << 16 | (head[1] & 0xFF) << 8 | head[2] & 0xFF;
        int stream =
            (head[5] & 0x7F) << 24
                | (head[6] & 0xFF) << 16
                | (head[7] & 0xFF) << 8
                | head[8] & 0xFF;
        byte[] payload = new byte[length];
        in.readFully(payload);
        keep(new Frame(head[3], head[4], stream, payload), decoder);
      }
    } catch (IOException e) {
      // The other side has broken the connection, or the test has closed it.
    } catch (Http2Exception e) {
      throw new IllegalStateException("unreadable headers", e);
    } finally {
      closed = true;
    }
  }

  private synchronized void keep(Frame frame, DefaultHttp2HeadersDecoder decoder)
      throws Http2Exception {
    frames.add(frame);
    if (frame.stream == 0) {
      return;
    }
    Answer answer = answers.computeIfAbsent(frame.stream, stream -> new Answer());
    if (frame.type == HEADERS) {
      decoder
          .decodeHeaders(
              frame.stream, Unpooled.wrappedBuffer(frame.payload).skipBytes(frame.skip()))
          .forEach(e -> answer.headers.put(e.getKey().toString(), e.getValue().toString()));
    } else if (frame.type == DATA) {
      answer.body.writeBytes(frame.payload);
    } else if (frame.type == RST_STREAM) {
      answer.reset = OptionalInt.of(frame.error());
    }
    answer.ended |= frame.ends();
  }

  /** Waits until a stream has been answered or reset. */
  public Answer answer(int stream) {
    flush();
    await()
        .alias("an answer on stream " + stream)
        .atMost(PATIENCE)
        .pollInterval(2, MILLISECONDS)
        .until(() -> closed || over(stream));
    synchronized (this) {
      return answers.getOrDefault(stream, new Answer());
    }
  }

  private synchronized boolean over(int stream) {
    Answer answer = answers.get(stream);
    return answer != null && (answer.ended || answer.reset.isPresent());
  }

  /** What has come back on a stream until now. */
  public synchronized int received(int stream) {
    Answer answer = answers.get(stream);
    return answer == null ? 0 : answer.body.size();
  }

  /** Waits until the other side has closed the connection. */
  public RawHttp2 awaitClosed(Duration atMost) {
    flush();
    await().alias("closed").atMost(atMost).pollInterval(2, MILLISECONDS).until(() -> closed);
    return this;
  }

  /** Waits until a PING is acknowledged, so that all frames before it have been looked at. */
  public RawHttp2 awaitPing() {
    int before = count(frame -> frame.type == PING);
    send(PING, 0, 0, new byte[8]).flush();
    await()
        .alias("PING acknowledged")
        .atMost(PATIENCE)
        .pollInterval(2, MILLISECONDS)
        .until(() -> closed || count(frame -> frame.type == PING) > before);
    return this;
  }

  public boolean closed() {
    return closed;
  }

  /** The error code of the GOAWAY frame that came, if any did. */
  public synchronized OptionalInt goAway() {
    return frames.stream().filter(f -> f.type == GOAWAY).mapToInt(Frame::error).findFirst();
  }

  /** How many frames of a kind have come. */
  public synchronized int count(Predicate<Frame> kind) {
    return (int) frames.stream().filter(kind).count();
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
