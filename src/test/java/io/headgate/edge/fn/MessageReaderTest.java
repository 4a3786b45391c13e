package io.headgate.edge.fn;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Messages are the same however HTTP cuts them, and a claimed length costs nothing. */
class MessageReaderTest {
  private static final int MOST = 1_000;

  private final List<Buffer> messages = new ArrayList<>();
  private int oversize;
  private final MessageRoom room = new MessageRoom(1_500);
  private final MessageReader reader =
      new MessageReader(MOST, room, messages::add, () -> oversize++);

  private static Buffer message(byte[] body) {
    return Buffer.buffer().appendByte((byte) 0).appendInt(body.length).appendBytes(body);
  }

  @Test
  void messages_come_whole_however_they_are_cut() {
    for (long seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      List<Buffer> sent = new ArrayList<>();
      Buffer all = Buffer.buffer();
      for (int i = 0; i < 20; i++) {
        byte[] body = new byte[random.nextInt(random.nextBoolean() ? 4 : MOST + 1)];
        random.nextBytes(body);
        sent.add(Buffer.buffer(body));
        all.appendBuffer(message(body));
      }
      messages.clear();
      for (int at = 0; at < all.length(); ) {
        int to = Math.min(all.length(), at + 1 + random.nextInt(random.nextBoolean() ? 3 : 3_000));
        reader.read(all.slice(at, to));
        at = to;
      }
      assertThat(messages).as("seed " + seed).isEqualTo(sent);
    }
    assertThat(oversize).isZero();
  }

  @Test
  void F10_a_message_past_the_limit_is_passed_over_and_the_next_one_comes() {
    Buffer all = message(new byte[MOST + 1]).appendBuffer(message(new byte[] {7}));
    for (int at = 0; at < all.length(); at += 100) {
      reader.read(all.slice(at, Math.min(all.length(), at + 100)));
    }
    assertThat(oversize).isOne();
    assertThat(messages).containsExactly(Buffer.buffer(new byte[] {7}));
  }

  @Test
  void F10_a_claim_of_four_gigabytes_is_told_of_at_once_and_sets_nothing_aside() {
    reader.read(Buffer.buffer(new byte[] {0, -1, -1, -1, -1}));
    reader.read(Buffer.buffer(new byte[10_000]));
    assertThat(oversize).isOne();
    assertThat(reader.setAside()).isZero();
    assertThat(messages).isEmpty();
  }

  @Test
  void F10_what_is_set_aside_follows_what_has_come_and_not_what_is_claimed() {
    Buffer whole = message(new byte[MOST]);
    reader.read(whole.slice(0, MessageReader.PREFIX_BYTES));
    assertThat(reader.setAside()).isZero();
    for (int came = 1; came < MOST; came++) {
      int at = MessageReader.PREFIX_BYTES + came - 1;
      reader.read(whole.slice(at, at + 1));
      assertThat(reader.setAside()).isBetween(came, Math.min(MOST, 8 * came));
    }
    reader.read(whole.slice(whole.length() - 1, whole.length()));
    assertThat(reader.setAside()).isZero();
    assertThat(messages).containsExactly(Buffer.buffer(new byte[MOST]));
  }

  @Test
  void a_message_that_is_kept_does_not_change_with_what_comes_next() {
    Buffer piece = message(new byte[] {1, 2, 3}).appendBuffer(message(new byte[] {4, 5, 6}));
    reader.read(piece);
    piece.setBytes(0, new byte[piece.length()]);
    assertThat(messages)
        .containsExactly(Buffer.buffer(new byte[] {1, 2, 3}), Buffer.buffer(new byte[] {4, 5, 6}));
  }

  @Test
  void F10_of_messages_on_their_way_the_one_that_waited_longest_is_given_up_for_want_of_room() {
    Buffer whole = message(new byte[MOST]);
    reader.read(whole.slice(0, 900));
    List<Buffer> others = new ArrayList<>();
    MessageReader other = new MessageReader(MOST, room, others::add, () -> {});
    other.read(whole.slice(0, 100));
    assertThat(oversize).isOne();
    assertThat(room.givenUp()).isOne();
    assertThat(room.sum()).isEqualTo(other.setAside());
    other.read(whole.slice(100, whole.length()));
    assertThat(others).hasSize(1);
    reader.read(whole.slice(900, whole.length())); // passed over
    reader.read(message(new byte[] {7}));
    assertThat(messages).containsExactly(Buffer.buffer(new byte[] {7}));
    assertThat(room.sum()).isZero();
  }

  @Test
  void F10_a_reader_that_is_closed_gives_back_what_was_set_aside() {
    reader.read(message(new byte[MOST]).slice(0, 900));
    assertThat(room.sum()).isPositive();
    reader.close();
    assertThat(room.sum()).isZero();
    reader.read(message(new byte[] {7}));
    assertThat(messages).isEmpty();
  }
}
