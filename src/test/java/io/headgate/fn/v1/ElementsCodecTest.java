package io.headgate.fn.v1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import io.headgate.fn.PortId;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.beam.fn.v1.BeamFnApi.Elements;
import org.apache.beam.fn.v1.BeamFnApi.Target;
import org.junit.jupiter.api.Test;

/** The hand-written reading and writing of data messages, against protobuf's own. */
class ElementsCodecTest {
  private record Piece(String instruction, PortId port, ByteString bytes) {}

  private static List<Piece> read(byte[] message) throws MalformedMessageException {
    List<Piece> pieces = new ArrayList<>();
    ElementsCodec.read(
        Buffer.buffer(message),
        (instruction, port, bytes) ->
            pieces.add(new Piece(instruction, port, ByteString.copyFrom(bytes.getBytes()))));
    return pieces;
  }

  private static List<Piece> reference(byte[] message) throws InvalidProtocolBufferException {
    return Elements.parseFrom(message).getDataList().stream()
        .map(
            data ->
                new Piece(
                    data.getInstructionReference(),
                    new PortId(
                        data.getTarget().getPrimitiveTransformReference(),
                        data.getTarget().getName()),
                    data.getData()))
        .toList();
  }

  @Provide
  Arbitrary<Elements> messages() {
    Arbitrary<String> text = Arbitraries.strings().ofMaxLength(20).filter(t -> isWellFormed(t));
    Arbitrary<byte[]> bytes = Arbitraries.bytes().array(byte[].class).ofMaxSize(300);
    Arbitrary<Elements.Data> data =
        Combinators.combine(text, text, text, bytes, Arbitraries.of(true, false))
            .as(
                (instruction, transform, name, content, target) -> {
                  Elements.Data.Builder piece =
                      Elements.Data.newBuilder()
                          .setInstructionReference(instruction)
                          .setData(ByteString.copyFrom(content));
                  if (target) {
                    piece.setTarget(
                        Target.newBuilder()
                            .setPrimitiveTransformReference(transform)
                            .setName(name));
                  }
                  return piece.build();
                });
    return data.list().ofMaxSize(8).map(all -> Elements.newBuilder().addAllData(all).build());
  }

  private static boolean isWellFormed(String text) {
    return io.headgate.wire.JsonText.isWellFormed(text);
  }

  @Property(tries = 500)
  void F6_every_message_is_read_as_protobuf_reads_it(@ForAll("messages") Elements message)
      throws Exception {
    assertThat(read(message.toByteArray())).isEqualTo(reference(message.toByteArray()));
  }

  @Property(tries = 2_000)
  void F10_damaged_bytes_are_refused_where_protobuf_refuses_them_and_never_half_read(
      @ForAll("messages") Elements message, @ForAll int seed) {
    byte[] damaged = message.toByteArray();
    java.util.Random random = new java.util.Random(seed);
    for (int i = 0; damaged.length > 0 && i < 3; i++) {
      damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
    }
    List<Piece> expected;
    try {
      expected = reference(damaged);
    } catch (InvalidProtocolBufferException e) {
      expected = null;
    }
    List<Piece> pieces = new ArrayList<>();
    try {
      ElementsCodec.read(
          Buffer.buffer(damaged),
          (instruction, port, bytes) ->
              pieces.add(new Piece(instruction, port, ByteString.copyFrom(bytes.getBytes()))));
    } catch (MalformedMessageException e) {
      assertThat(pieces).as("nothing of a malformed message").isEmpty();
      return;
    }
    if (expected != null) {
      assertThat(pieces).isEqualTo(expected);
    }
    // What protobuf refuses and this reads is text that is no UTF-8: an id that nobody has.
  }

  @Test
  void F10_unknown_fields_are_skipped() throws Exception {
    UnknownFieldSet later =
        UnknownFieldSet.newBuilder()
            .addField(
                9,
                UnknownFieldSet.Field.newBuilder()
                    .addVarint(-1)
                    .addFixed32(1)
                    .addFixed64(2)
                    .addLengthDelimited(ByteString.copyFromUtf8("later"))
                    .build())
            .build();
    Elements message =
        Elements.newBuilder()
            .addData(
                Elements.Data.newBuilder()
                    .setInstructionReference("i")
                    .setTarget(
                        Target.newBuilder()
                            .setPrimitiveTransformReference("t")
                            .setName("n")
                            .setUnknownFields(later))
                    .setData(ByteString.copyFromUtf8("d"))
                    .setUnknownFields(later))
            .setUnknownFields(later)
            .build();
    assertThat(read(message.toByteArray()))
        .containsExactly(new Piece("i", new PortId("t", "n"), ByteString.copyFromUtf8("d")));
  }

  @Test
  void F10_a_message_of_ten_thousand_pieces_is_read_and_one_more_is_too_many() throws Exception {
    byte[] most = new byte[20_000];
    for (int i = 0; i < most.length; i += 2) {
      most[i] = 10; // an empty piece
    }
    assertThat(read(most)).hasSize(10_000);
    byte[] more = java.util.Arrays.copyOf(most, most.length + 2);
    more[most.length] = 10;
    assertThatThrownBy(() -> read(more)).isInstanceOf(MalformedMessageException.class);
  }

  @Test
  void F6_what_is_written_is_what_protobuf_writes() throws Exception {
    for (int size : new int[] {0, 1, 127, 128, 16_383, 16_384, 1 << 20}) {
      for (String name : new String[] {"", "in", "ü".repeat(100)}) {
        byte[] content = new byte[size];
        Elements expected =
            Elements.newBuilder()
                .addData(
                    Elements.Data.newBuilder()
                        .setInstructionReference("instruction-" + size)
                        .setTarget(
                            Target.newBuilder()
                                .setPrimitiveTransformReference("transform")
                                .setName(name))
                        .setData(ByteString.copyFrom(content)))
                .build();
        Buffer written =
            ElementsCodec.head("instruction-" + size, new PortId("transform", name), size)
                .appendBytes(content);
        assertThat(Elements.parseFrom(written.getBytes())).isEqualTo(expected);
      }
    }
  }

  @Test
  void F6_a_small_piece_does_not_keep_a_large_message_alive() throws Exception {
    Elements message =
        Elements.newBuilder()
            .addData(Elements.Data.newBuilder().setData(ByteString.copyFromUtf8("tiny")))
            .addData(Elements.Data.newBuilder().setData(ByteString.copyFrom(new byte[100_000])))
            .build();
    Buffer whole = Buffer.buffer(message.toByteArray());
    List<Buffer> pieces = new ArrayList<>();
    ElementsCodec.read(whole, (instruction, port, bytes) -> pieces.add(bytes));
    whole.setBytes(0, new byte[whole.length()]);
    assertThat(pieces.get(0)).as("a copy").hasToString("tiny");
  }
}
