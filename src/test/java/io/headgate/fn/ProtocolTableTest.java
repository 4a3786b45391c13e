package io.headgate.fn;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.beam.fn.v1.BeamFnApi;
import org.junit.jupiter.api.Test;

/** Every name, number and type of the protocol, against a table made from Beam's own definition. */
class ProtocolTableTest {
  @Test
  void F1_every_message_field_value_and_call_has_the_names_numbers_and_types_of_beam()
      throws IOException {
    List<String> compiled = new ArrayList<>();
    BeamFnApi.getDescriptor().getMessageTypes().forEach(message -> list(message, compiled));
    BeamFnApi.getDescriptor().getServices().forEach(service -> list(service, compiled));

    assertThat(compiled).containsExactlyInAnyOrderElementsOf(table());
    assertThat(BeamFnApi.getDescriptor().getPackage()).isEqualTo("org.apache.beam.fn.v1");
  }

  private static List<String> table() throws IOException {
    try (InputStream file = ProtocolTableTest.class.getResourceAsStream("/fn/beam_fn_api.tsv")) {
      return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .toList();
    }
  }

  private static void list(Descriptor message, List<String> rows) {
    rows.add("message\t" + name(message.getFullName()));
    for (FieldDescriptor field : message.getFields()) {
      rows.add(
          "field\t" + name(field.getFullName()) + "\t" + field.getNumber() + "\t" + type(field));
    }
    for (EnumDescriptor type : message.getEnumTypes()) {
      type.getValues()
          .forEach(
              value ->
                  rows.add(
                      "value\t%s.%s\t%d"
                          .formatted(
                              name(type.getFullName()), value.getName(), value.getNumber())));
    }
    message.getNestedTypes().stream()
        .filter(nested -> !nested.getOptions().getMapEntry())
        .forEach(nested -> list(nested, rows));
  }

  private static void list(ServiceDescriptor service, List<String> rows) {
    for (MethodDescriptor call : service.getMethods()) {
      rows.add(
          "rpc\t/%s/%s\t%s%s\t%s%s"
              .formatted(
                  service.getFullName(),
                  call.getName(),
                  call.toProto().getClientStreaming() ? "stream " : "",
                  name(call.getInputType().getFullName()),
                  call.toProto().getServerStreaming() ? "stream " : "",
                  name(call.getOutputType().getFullName())));
    }
  }

  private static String type(FieldDescriptor field) {
    if (field.isMapField()) {
      List<FieldDescriptor> entry = field.getMessageType().getFields();
      return "map<" + plainType(entry.get(0)) + ", " + plainType(entry.get(1)) + ">";
    }
    if (field.getContainingOneof() != null) {
      return "oneof " + field.getContainingOneof().getName() + " " + plainType(field);
    }
    return (field.isRepeated() ? "repeated " : "") + plainType(field);
  }

  private static String plainType(FieldDescriptor field) {
    return switch (field.getJavaType()) {
      case MESSAGE -> name(field.getMessageType().getFullName());
      case ENUM -> name(field.getEnumType().getFullName());
      default -> field.getType().name().toLowerCase(java.util.Locale.ROOT);
    };
  }

  private static String name(String fullName) {
    return fullName.replaceFirst("^org\\.apache\\.beam\\.fn\\.v1\\.", "");
  }
}
