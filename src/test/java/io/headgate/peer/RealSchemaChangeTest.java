package io.headgate.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import at.favre.lib.crypto.bcrypt.BCrypt;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.map.IMap;
import io.headgate.HeadgateConfig;
import io.headgate.QuickWatch;
import io.headgate.kit.FreePorts;
import io.headgate.kit.LoggedLines;
import io.headgate.kit.TestGateway;
import io.headgate.timeline.Timeline;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What becomes of a real {@code ALTER TABLE}: a real engine (SeaTunnel 2.3.8) reads it from the
 * binlog of a real MariaDB by its CDC connector, reports it to a gateway, and its JDBC sink can or
 * can't repeat it.
 */
class RealSchemaChangeTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** The engine's interval of 10 s; the rest is for a busy machine. */
  private static final Duration REPORT_LIMIT = Duration.ofSeconds(10 + 20);

  /** A minute in the product. */
  private static final Duration WATCH = Duration.ofSeconds(5);

  private static final Duration END_LIMIT = Duration.ofSeconds(60);

  private static final String PASSWORD = "s3cret-password";
  private static final String ENGINE = basic("engine");
  private static final String OPERATOR = basic("operator");
  private static final String[] SECRETS = {"s3cret", "ALTER", "VARCHAR", "jdbc:", "denied"};

  @TempDir private static Path folder;

  private static LoggedLines log;
  private static MariaDb database;
  private static TestGateway gateway;
  private static ReportRelay relay;
  private static ZetaCluster cluster;
  private static ZetaJobs jobs;

  @BeforeAll
  static void startPeers() throws IOException {
    log = LoggedLines.detailed();
    database = MariaDb.start(folder);
    database.run("CREATE DATABASE shop; CREATE DATABASE copy");
    database.createAccount("owner", PASSWORD, "ALL ON copy.*");
    database.createAccount("clerk", PASSWORD, "SELECT, INSERT, UPDATE, DELETE ON copy.*");
    int port = FreePorts.pick(1).get(0);
    relay = ReportRelay.to(URI.create("http://127.0.0.1:" + port));
    cluster =
        ZetaCluster.start(
            ZetaConfig.members(1)
                // As shipped. With the two threads that a small machine gets, the CDC source's own
                // operations wait for each other for ever.
                .hazelcastProperty("hazelcast.operation.generic.thread.count", "50")
                .eventReport(
                    relay.uri().resolve("/event/report"), Map.of("Authorization", ENGINE)));
    jobs = cluster.member(0).jobs();
    HeadgateConfig config =
        TestGateway.config(
            "source.zeta.members",
            cluster.uris().get(0).resolve("/hazelcast/rest/maps").toString(),
            "http.port",
            String.valueOf(port),
            "http.auth.basic.usersFile",
            users().toString(),
            "hazelcast.enabled",
            "true",
            "hazelcast.clusterName",
            "ddl-" + ProcessHandle.current().pid(),
            "hazelcast.port",
            "0");
    gateway = TestGateway.running(QuickWatch.gateway(config, WATCH));
  }

  private static Path users() throws IOException {
    String hash = BCrypt.withDefaults().hashToString(10, PASSWORD.toCharArray());
    String lines = "engine:%s:write\noperator:%s:read\n".formatted(hash, hash);
    return Files.writeString(folder.resolve("users"), lines);
  }

  private static String basic(String user) {
    byte[] credentials = (user + ":" + PASSWORD).getBytes(StandardCharsets.UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(credentials);
  }

  @AfterAll
  static void stopPeers() {
    Stream.of(cluster, relay, gateway, database, log)
        .filter(peer -> peer != null)
        .forEach(RealSchemaChangeTest::close);
  }

  private static void close(AutoCloseable peer) {
    try {
      peer.close();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void T1_a_new_column_is_a_record_within_an_interval_and_applied_by_a_sink_that_can() {
    String job = follow("orders", "owner", 5701);

    // Rows that come late are reported whole. This one says that it is a minute old.
    database.run(
        "SET timestamp = UNIX_TIMESTAMP() - 60; INSERT INTO shop.orders VALUES (3, 's3cret-row')");
    addNote("orders");

    JsonNode change = awaitChange(job);
    assertThat(change.path("sourceTable").asText()).isEqualTo("shop.orders");
    assertThat(change.path("eventType").asText()).isEqualTo("SCHEMA_CHANGE_UPDATE_COLUMNS");
    assertThat(change.path("nestedTypes"))
        .map(JsonNode::asText)
        .containsExactly("SCHEMA_CHANGE_ADD_COLUMN");
    assertThat(change.path("sequence").asLong()).isEqualTo(1);
    assertThat(change.path("decisions"))
        .map(decision -> decision.path("stage").asText())
        .containsExactly("OBSERVED", "NORMALIZED");

    awaitRows(
        "copy.orders",
        "1\tann\ts3cret-default",
        "2\tbob\ts3cret-default",
        "3\ts3cret-row\ts3cret-default",
        "4\ts3cret-row\ts3cret-note");
    assertThat(jobs.jobInfo(job).body()).contains("\"jobStatus\":\"RUNNING\"");
    // It was applied, and yet nobody has said so.
    assertOutcomeNotReported(records(job).get(0), "IN_PROGRESS");
    jobs.cancel(job);
    jobs.awaitRetained(job, "CANCELED", LIMIT);
    assertNothingKept(job, "s3cret-default", "s3cret-comment", "name=s3cret-row");
  }

  @Test
  void T8_no_outcome_is_told_of_a_change_that_the_sink_may_not_make() {
    String job = follow("stock", "clerk", 5702);

    addNote("stock");

    awaitChange(job);
    assertThat(jobs.awaitRetained(job, "FAILED", LIMIT))
        .contains("ALTER command denied to user 'clerk'");
    assertThat(database.rows("SHOW COLUMNS FROM copy.stock")).hasSize(2);
    JsonNode change =
        await("ended: job " + job)
            .atMost(END_LIMIT)
            .pollInterval(Duration.ofMillis(500))
            .until(
                () -> records(job).get(0),
                record -> record.path("state").asText().equals("TERMINAL"));
    assertOutcomeNotReported(change, "TERMINAL");
    assertThat(change.path("reasonCode").asText()).isEqualTo("UNKNOWN");
    assertNothingKept(job, "s3cret-default", "s3cret-comment");
  }

  private static void assertOutcomeNotReported(JsonNode change, String state) {
    assertThat(change.path("state").asText()).isEqualTo(state);
    assertThat(change.path("outcome").isNull()).isTrue();
    assertThat(change.path("targets")).isEmpty();
    assertThat(change.path("unavailableStages"))
        .map(JsonNode::asText)
        .contains("TARGET_RESOLVED", "APPLY_STARTED", "COMPLETED");
  }

  /** T11: what the engine told of rows and statements is nowhere in the gateway. */
  private static void assertNothingKept(String job, String... told) {
    String reports = String.join("\n", relay.taken());
    assertThat(reports).as("what must not be kept was there to be dropped").contains(told);
    assertThat(timeline(job).body()).doesNotContainIgnoringCase(SECRETS);
    assertThat(gateway.get("/metrics", "Authorization", OPERATOR).body())
        .doesNotContainIgnoringCase(SECRETS);
    assertThat(stored()).contains("shop").doesNotContainIgnoringCase(SECRETS);
    log.assertFreeOf("s3cret", "ALTER TABLE", "jdbc:mysql", "denied to user", ENGINE, OPERATOR);
  }

  /** All bytes that the gateway keeps in its cluster, each as a character. */
  private static String stored() {
    return Hazelcast.getAllHazelcastInstances().stream()
        .flatMap(member -> member.getDistributedObjects().stream())
        .filter(IMap.class::isInstance)
        .flatMap(map -> ((IMap<?, ?>) map).values().stream())
        .map(value -> value instanceof Timeline kept ? kept.toBytes() : (byte[]) value)
        .map(bytes -> new String(bytes, StandardCharsets.ISO_8859_1))
        .collect(Collectors.joining());
  }

  /** Makes a table and its copy, and a job that has copied all rows and waits for changes. */
  private static String follow(String table, String writer, int serverId) {
    database.run("CREATE TABLE shop." + table + " (id INT PRIMARY KEY, name VARCHAR(64))");
    database.run("CREATE TABLE copy." + table + " LIKE shop." + table);
    database.run("INSERT INTO shop." + table + " VALUES (1, 'ann'), (2, 'bob')");
    String reader = "reader_of_" + table;
    database.createReader(reader, PASSWORD);
    String job =
        jobs.submit(
            "cdc_jdbc",
            Map.of(
                "port", String.valueOf(database.port()),
                "password", PASSWORD,
                "reader", reader,
                "writer", writer,
                "serverId", String.valueOf(serverId),
                "table", table));
    await("followed: " + table).atMost(LIMIT).until(() -> database.isFollowedBy(reader));
    awaitRows("copy." + table, "1\tann", "2\tbob");
    return job;
  }

  private static void addNote(String table) {
    database.run(
        "ALTER TABLE shop."
            + table
            + " ADD COLUMN note VARCHAR(64) NOT NULL DEFAULT 's3cret-default'"
            + " COMMENT 's3cret-comment'");
    database.run("INSERT INTO shop." + table + " VALUES (4, 's3cret-row', 's3cret-note')");
  }

  private static void awaitRows(String table, String... rows) {
    await("copied: " + table)
        .atMost(LIMIT)
        .until(
            () -> database.rows("SELECT * FROM " + table + " ORDER BY id"),
            found -> found.equals(List.of(rows)));
  }

  private static JsonNode awaitChange(String job) {
    return await("recorded: job " + job)
        .atMost(REPORT_LIMIT)
        .until(() -> records(job), records -> !records.isEmpty())
        .get(0);
  }

  private static List<JsonNode> records(String job) {
    HttpResponse<String> answer = timeline(job);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    try {
      JsonNode records = new ObjectMapper().readTree(answer.body()).path("records");
      return StreamSupport.stream(records.spliterator(), false).toList();
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static HttpResponse<String> timeline(String job) {
    return gateway.get("/job-info/" + job + "/schema-evolution", "Authorization", OPERATOR);
  }
}
