package io.headgate.fn.v1;

import com.google.protobuf.DiscardUnknownFieldsParser;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import io.vertx.core.buffer.Buffer;

/**
 * Reads messages of harnesses without what the protocol does not have. Protobuf would keep unknown
 * fields, an object each and more, so that a message of four megabytes could cost hundreds. Safe on
 * any thread.
 */
final class KnownFields<M extends Message> {
  private final Parser<M> parser;

  KnownFields(Parser<M> parser) {
    this.parser = DiscardUnknownFieldsParser.wrap(parser);
  }

  M read(Buffer bytes) throws MalformedMessageException {
    try {
      return parser.parseFrom(bytes.getBytes());
    } catch (InvalidProtocolBufferException e) {
      throw new MalformedMessageException();
    }
  }
}
