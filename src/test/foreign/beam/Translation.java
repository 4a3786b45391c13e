import java.util.Map;
import org.apache.beam.vendor.grpc.v1p13p1.com.google.protobuf.ByteString;
import org.apache.beam.vendor.grpc.v1p13p1.com.google.protobuf.InvalidProtocolBufferException;
import org.apache.beam.vendor.grpc.v1p13p1.com.google.protobuf.UnknownFieldSet;
import org.apache.beam.vendor.grpc.v1p13p1.com.google.protobuf.UnknownFieldSet.Field;

/** How a message of one protocol is written in the other: by numbers, without either's classes. */
@FunctionalInterface
interface Translation {
  byte[] of(byte[] message);

  /** Down: instead of each early descriptor that is registered, the later one of its id. */
  static Translation requests(Map<String, ByteString> descriptors) {
    return message -> {
      UnknownFieldSet request = read(message);
      if (!request.hasField(1000)) {
        return message;
      }
      Field.Builder registered = Field.newBuilder();
      for (ByteString early : all(read(only(request, 1000)), 1)) {
        registered.addLengthDelimited(descriptors.get(only(read(early), 1).toStringUtf8()));
      }
      return with(request, 1000, message(1, registered.build())).toByteArray();
    };
  }

  /** Up: bag_user_state {transform, state, window, key} is a key {{transform, state}, window, key}. */
  static byte[] stateRequest(byte[] message) {
    UnknownFieldSet request = read(message);
    UnknownFieldSet cell = read(only(read(only(request, 3)), 3));
    UnknownFieldSet.Builder target = UnknownFieldSet.newBuilder();
    target.addField(1, cell.getField(1)).addField(2, cell.getField(2));
    UnknownFieldSet.Builder key = UnknownFieldSet.newBuilder();
    key.addField(1, bytes(target.build().toByteString()));
    key.addField(2, cell.getField(3)).addField(3, cell.getField(4));
    return with(request, 3, key.build()).toByteArray();
  }

  /** Down: a page is what an answer to "get" consists of, instead of being inside it. */
  static byte[] stateResponse(byte[] message) {
    UnknownFieldSet response = read(message);
    if (!response.hasField(1000)) {
      return message;
    }
    return with(response, 1000, read(only(read(only(response, 1000)), 1))).toByteArray();
  }

  /** Up: severities go from 0 in tens, instead of from 1 in ones. */
  static byte[] logEntries(byte[] message) {
    Field.Builder entries = Field.newBuilder();
    for (ByteString line : all(read(message), 1)) {
      UnknownFieldSet entry = read(line);
      long severity = last(entry.getField(1));
      Field early = Field.newBuilder().addVarint(Math.max(0, severity - 1) * 10).build();
      entries.addLengthDelimited(
          UnknownFieldSet.newBuilder(entry).clearField(1).addField(1, early).build().toByteString());
    }
    return message(1, entries.build()).toByteArray();
  }

  private static long last(Field number) {
    return number.getVarintList().isEmpty()
        ? 0
        : number.getVarintList().get(number.getVarintList().size() - 1);
  }

  private static UnknownFieldSet message(int number, Field field) {
    return UnknownFieldSet.newBuilder().addField(number, field).build();
  }

  private static UnknownFieldSet with(UnknownFieldSet whole, int number, UnknownFieldSet part) {
    return UnknownFieldSet.newBuilder(whole)
        .clearField(number)
        .addField(number, bytes(part.toByteString()))
        .build();
  }

  private static Field bytes(ByteString bytes) {
    return Field.newBuilder().addLengthDelimited(bytes).build();
  }

  private static Iterable<ByteString> all(UnknownFieldSet message, int number) {
    return message.getField(number).getLengthDelimitedList();
  }

  /** A message or text that stands in another once; empty if it is left out. */
  private static ByteString only(UnknownFieldSet message, int number) {
    ByteString found = ByteString.EMPTY;
    for (ByteString one : all(message, number)) {
      found = one;
    }
    return found;
  }

  private static UnknownFieldSet read(byte[] message) {
    return read(ByteString.copyFrom(message));
  }

  private static UnknownFieldSet read(ByteString message) {
    try {
      return UnknownFieldSet.parseFrom(message);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
