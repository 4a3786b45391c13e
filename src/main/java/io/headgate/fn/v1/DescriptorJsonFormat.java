package io.headgate.fn.v1;

import com.google.protobuf.BytesValue;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.StringValue;
import com.google.protobuf.util.JsonFormat;
import io.headgate.fn.DescriptorJson;
import io.headgate.wire.CapExceededException;
import io.headgate.wire.CappedBuffer;
import io.headgate.wire.JsonScan;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.apache.beam.fn.v1.BeamFnApi.ProcessBundleDescriptor;
import org.apache.beam.fn.v1.BeamFnApi.RemoteGrpcPort;
import org.jspecify.annotations.Nullable;

/**
 * {@link DescriptorJson} by Protocol Buffers' own library. That one reads whatever resembles JSON,
 * and makes a tree of it first; so only what is strictly JSON, and small and flat enough for a
 * tree, reaches it.
 *
 * <p>Parameters have a JSON form only if their type is known here. The known ones are bytes, text
 * and what data ports have.
 */
public final class DescriptorJsonFormat implements DescriptorJson {
  /** A descriptor needs nine. */
  static final int MOST_DEPTH = 32;

  /** Objects, arrays and commas; a tree takes about 80 bytes for each. */
  static final int MOST_PARTS = 200_000;

  private static final JsonFormat.TypeRegistry TYPES =
      JsonFormat.TypeRegistry.newBuilder()
          .add(BytesValue.getDescriptor())
          .add(StringValue.getDescriptor())
          .add(RemoteGrpcPort.getDescriptor())
          .build();

  private static final JsonFormat.Parser PARSER = JsonFormat.parser().usingTypeRegistry(TYPES);
  private static final JsonFormat.Printer PRINTER =
      JsonFormat.printer().usingTypeRegistry(TYPES).omittingInsignificantWhitespace();

  @Override
  public byte @Nullable [] read(byte[] json) {
    JsonScan scan = new JsonScan(json);
    int end = scan.value(0);
    if (end < 0 || scan.space(end) != json.length || scan.depth() > MOST_DEPTH) {
      return null;
    }
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(json)).toString();
      return isFit(text) ? parsed(text).toByteArray() : null;
    } catch (CharacterCodingException | InvalidProtocolBufferException e) {
      return null;
    }
  }

  private static ProcessBundleDescriptor parsed(String json) throws InvalidProtocolBufferException {
    ProcessBundleDescriptor.Builder builder = ProcessBundleDescriptor.newBuilder();
    PARSER.merge(json, builder);
    return builder.build();
  }

  /** Whether JSON text has few parts, and escapes that make no half characters. */
  private static boolean isFit(String json) {
    int parts = 0;
    boolean half = false;
    for (int i = 0; i < json.length(); i++) {
      char c = json.charAt(i);
      if (c == '{' || c == '[' || c == ',') {
        parts++; // in a string as well, where they are few
      } else if (c == '\\') {
        boolean unit = json.charAt(i + 1) == 'u';
        c = unit ? (char) Integer.parseInt(json, i + 2, i + 6, 16) : ' ';
        i += unit ? 5 : 1;
      }
      if (half != Character.isLowSurrogate(c)) {
        return false;
      }
      half = Character.isHighSurrogate(c);
    }
    return parts <= MOST_PARTS;
  }

  @Override
  public @Nullable CappedBuffer write(byte[] descriptor, int cap) {
    try {
      ProcessBundleDescriptor message = ProcessBundleDescriptor.parseFrom(descriptor);
      Capped text = new Capped(cap);
      PRINTER.appendTo(message, text);
      String json = text.builder.toString();
      if (!parsed(json).equals(message)) {
        return null; // there are fields that are unknown here
      }
      byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
      CappedBuffer out = new CappedBuffer(bytes.length, cap);
      out.put(bytes);
      return out;
    } catch (IOException e) { // parameters of a type that is unknown here
      return null;
    }
  }

  /** Text of bounded length. */
  private static final class Capped implements Appendable {
    final StringBuilder builder = new StringBuilder();
    private final int cap;

    Capped(int cap) {
      this.cap = cap;
    }

    @Override
    public Appendable append(CharSequence text) {
      return append(text, 0, text.length());
    }

    @Override
    public Appendable append(CharSequence text, int start, int end) {
      if (end - start > cap - builder.length()) {
        throw new CapExceededException(cap);
      }
      builder.append(text, start, end);
      return this;
    }

    @Override
    public Appendable append(char c) {
      return append(Character.toString(c));
    }
  }
}
