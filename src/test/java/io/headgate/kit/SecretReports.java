package io.headgate.kit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Set;

/** Batches of an engine's events with a sentinel wherever an event can carry text (T11). */
public final class SecretReports {
  public static final String SENTINEL = "s3cr3t";

  private static final ObjectMapper TREES = new ObjectMapper();

  /** What is kept of an event's text: the parts of its table's name. */
  private static final Set<String> KEPT =
      Set.of("databaseName", "schemaName", "tableName", "eventType", "jobId", "createdTime");

  private SecretReports() {}

  /** All recorded events of the job with real {@code ALTER TABLE}s, in one batch. */
  public static String recorded() {
    ArrayNode batch = TREES.createArrayNode();
    for (RecordedReport report : RecordedReport.ofTheCdcJob()) {
      try {
        TREES.readTree(report.text()).forEach(event -> batch.add(withSentinels(event)));
      } catch (JsonProcessingException e) {
        throw new UncheckedIOException(e);
      }
    }
    return batch.toString();
  }

  /** The same event with a sentinel in each text and each unknown place. */
  private static JsonNode withSentinels(JsonNode node) {
    if (node.isObject()) {
      ObjectNode object = TREES.createObjectNode();
      node.properties()
          .forEach(
              member ->
                  object.set(
                      member.getKey(),
                      KEPT.contains(member.getKey())
                          ? member.getValue()
                          : withSentinels(member.getValue())));
      object.put(SENTINEL, SENTINEL);
      return object;
    }
    if (node.isArray()) {
      ArrayNode array = TREES.createArrayNode();
      node.forEach(element -> array.add(withSentinels(element)));
      array.add(SENTINEL);
      return array;
    }
    return node.isBoolean() ? node : new TextNode(SENTINEL + node.asText());
  }

  /** An event of each kind, those that no recording has as well, with more members than any has. */
  public static String ofEveryKind(long job) {
    List<String> kinds =
        List.of(
            "SCHEMA_CHANGE_ADD_COLUMN",
            "SCHEMA_CHANGE_DROP_COLUMN",
            "SCHEMA_CHANGE_MODIFY_COLUMN",
            "SCHEMA_CHANGE_CHANGE_COLUMN",
            "SCHEMA_CHANGE_UPDATE_COLUMNS",
            "SCHEMA_CHANGE_RENAME_TABLE",
            "SCHEMA_CHANGE_" + SENTINEL,
            "READER_MESSAGE_DELAYED",
            SENTINEL);
    String fields =
        ("\"jobId\":\"%s\",\"createdTime\":5,\"catalogName\":\"S\",\"tableIdentifier\":"
                + "{\"catalogName\":\"S\",\"tableName\":\"orders\",\"S\":\"S\"},"
                + "\"newTableIdentifier\":{\"catalogName\":\"S\",\"databaseName\":\"S\","
                + "\"schemaName\":\"S\",\"tableName\":\"S\"},\"newTablePath\":{\"fullName\":\"S\"},"
                + "\"tablePath\":{\"tableName\":\"orders\",\"fullName\":\"S\","
                + "\"fullNameWithQuoted\":\"S\",\"schemaAndTableName\":\"S\"},"
                + "\"statement\":\"S\",\"sourceDialectName\":\"S\",\"record\":\"S\","
                + "\"delayTime\":\"S\",\"afterColumn\":\"S\",\"first\":\"S\",\"oldColumn\":\"S\","
                + "\"column\":{\"name\":\"S\",\"defaultValue\":\"S\",\"comment\":\"S\","
                + "\"options\":{\"S\":\"S\"},\"sourceType\":\"S\",\"dataType\":[\"S\"]},"
                + "\"events\":[{\"eventType\":\"S\",\"column\":\"S\",\"statement\":\"S\","
                + "\"jobId\":\"S\",\"tableIdentifier\":{\"tableName\":\"S\"}},\"S\"],"
                + "\"S\":{\"S\":[\"S\"]}")
            .formatted(job)
            .replace("S\"", SENTINEL + "\"");
    StringBuilder batch = new StringBuilder("[");
    for (String kind : kinds) {
      batch.append(batch.length() == 1 ? "" : ",");
      batch.append("{\"eventType\":\"").append(kind).append("\",").append(fields).append('}');
    }
    return batch.append(']').toString();
  }

  /** A decision with one in every member that is not documented, or takes no free text. */
  public static String decision(long job) {
    return ("[{\"jobId\":\"%s\",\"observationKey\":\"S\",\"stage\":\"COMPLETED\",\"statement\":\"S\","
            + "\"reasonCode\":\"S\",\"capability\":\"S\",\"historyId\":\"S\","
            + "\"eventType\":\"SCHEMA_CHANGE_S\",\"target\":{\"table\":\"t\",\"S\":\"S\"},"
            + "\"S\":{\"S\":[\"S\"]}}]")
        .formatted(job)
        .replace("S\"", SENTINEL + "\"");
  }
}
