package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.headgate.kit.LoggedLines;
import io.headgate.timeline.TimelineConfig;
import io.headgate.timeline.TimelineLimits;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an operator writes into a file or a variable, and what the loader makes of it. */
class ConfigurationTest {
  private static final String SENTINEL = "s3ntinel-of-the-test";
  private static final String MEMBERS = "HEADGATE_SOURCE_ZETA_MEMBERS";

  @TempDir Path folder;

  @Test
  void nothing_given_makes_the_defaults() throws Exception {
    assertThat(HeadgateConfig.load(null, Map.of())).isEqualTo(HeadgateConfig.DEFAULT);
    assertThat(load("")).isEqualTo(HeadgateConfig.DEFAULT);
    assertThat(load("# only words\n")).isEqualTo(HeadgateConfig.DEFAULT);
    assertThat(load("http:\nsource:\n  zeta:\n")).isEqualTo(HeadgateConfig.DEFAULT);
  }

  @Test
  void an_unknown_key_is_a_fault_that_names_the_nearest_one() {
    assertThat(faults("http:\n  prot: 1\n"))
        .containsExactly("http.prot: unknown key (nearest: http.port)");
    assertThat(faults("admision.permits: 4\n"))
        .containsExactly("admision.permits: unknown key (nearest: admission.permits)");
    assertThat(faults("limits:\n  nodes: 5\n  edge: 5\n"))
        .containsExactly("limits.edge: unknown key (nearest: limits.edges)");
  }

  @Test
  void every_fault_is_told_at_once() {
    assertThat(faults("http:\n  port: 70000\n  hots: x\nlimits:\n  nodes: 0\n"))
        .hasSize(3)
        .anySatisfy(fault -> assertThat(fault).startsWith("http.port: 70000"))
        .anySatisfy(fault -> assertThat(fault).startsWith("http.hots: unknown key"))
        .anySatisfy(fault -> assertThat(fault).startsWith("limits.nodes: 0"));
  }

  @Test
  void a_variable_overrides_the_file() throws Exception {
    HeadgateConfig config =
        load(
            "http.port: 1000\nadmission: {maxWaiters: 7, permits: 2}\n",
            "HEADGATE_HTTP_PORT",
            "2000",
            "HEADGATE_ADMISSION_MAX_WAITERS",
            "9");
    assertThat(config.http().port()).isEqualTo(2000);
    assertThat(config.admission().maxWaiters()).isEqualTo(9);
    assertThat(config.admission().permits()).isEqualTo(2);
  }

  @Test
  void T4_the_bounds_of_timelines_are_those_that_are_set() throws Exception {
    HeadgateConfig config =
        load(
            "timeline: {enabled: false, errorSummaries: true, jobs: 2000, jobBytes: 1MiB,"
                + " bytes: 2MiB, retention: 1h, bodyBytes: 3MiB, permits: 5, queryPermits: 6}\n");
    TimelineLimits limits = TimelineLimits.DEFAULT;
    assertThat(config.timeline())
        .isEqualTo(
            new TimelineConfig(
                false,
                true,
                2_000,
                new TimelineLimits(
                    limits.records(), limits.targets(), limits.attempts(), 1 << 20, 3_600_000),
                2 << 20,
                3 << 20));
    assertThat(config.admission().reports()).isEqualTo(5);
    assertThat(config.admission().timelines()).isEqualTo(6);
  }

  @Test
  void a_list_is_a_sequence_in_the_file_and_has_commas_in_a_variable() throws Exception {
    List<URI> two =
        List.of(URI.create("http://a:5801/hazelcast/rest/maps"), URI.create("https://b:8443"));
    assertThat(
            members(load("source.zeta.members: [\"" + two.get(0) + "\", \"" + two.get(1) + "\"]")))
        .isEqualTo(two);
    assertThat(members(load("", MEMBERS, two.get(0) + ", " + two.get(1) + ","))).isEqualTo(two);
    assertThat(members(load("source.zeta.members: http://c", MEMBERS, "http://d")))
        .containsExactly(URI.create("http://d"));
  }

  private static List<URI> members(HeadgateConfig config) {
    assertThat(config.sources().zeta()).isNotNull();
    return config.sources().zeta().members();
  }

  @Test
  void an_unknown_variable_only_warns() throws Exception {
    try (LoggedLines log = LoggedLines.of(ConfigLoader.class)) {
      HeadgateConfig config =
          load("", "HEADGATE_HTTP_PROT", "1", "HEADGATE_SERVICE_HOST", "10.0.0.1", "PATH", "/bin");
      assertThat(config).isEqualTo(HeadgateConfig.DEFAULT);
      assertThat(log.messages())
          .containsExactly(
              "unknown variable HEADGATE_HTTP_PROT is ignored",
              "unknown variable HEADGATE_SERVICE_HOST is ignored");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp://10.0.0.1:80", "udp://10.0.0.1:80", "sctp://10.0.0.1:80"})
  void what_kubernetes_injects_for_a_service_of_that_name_is_ignored(String value)
      throws Exception {
    assertThat(load("", "HEADGATE_HTTP_PORT", value, "HEADGATE_PORT", value))
        .isEqualTo(HeadgateConfig.DEFAULT);
  }

  @ParameterizedTest
  @CsvSource({
    "500ms, 500",
    "3s, 3000",
    "2m, 120000",
    "1500, 1500",
    "0.5s, 500",
    "1.5s, 1500",
    "4 s, 4000"
  })
  void durations_have_a_unit_or_are_milliseconds(String text, long millis) throws Exception {
    HeadgateConfig config =
        load(
            "http: {requestDeadline: 10m, writeDeadline: 1h, idleTimeout: 1h}\n"
                + "admission.deadline: "
                + text);
    assertThat(config.admission().deadline()).isEqualTo(Duration.ofMillis(millis));
  }

  @ParameterizedTest
  @CsvSource({"2MiB, 2097152", "2048KiB, 2097152", "2097152B, 2097152", "2097152, 2097152"})
  void sizes_have_a_unit_or_are_bytes(String text, int bytes) throws Exception {
    assertThat(load("limits.responseBytes: " + text).limits().responseBytes()).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"ten", "5x", "1.0001ms", "-1s", "", "5S", "s", "99999999999999999999h", "{a: 1}"})
  void what_is_no_duration_is_a_fault(String text) {
    assertThat(faults("admission.deadline: " + (text.isEmpty() ? "\"\"" : text)))
        .singleElement()
        .satisfies(
            fault ->
                assertThat(fault)
                    .startsWith("admission.deadline: ")
                    .endsWith("(expected: 50ms to 5m)"));
  }

  @Test
  void every_bounded_key_takes_its_bounds_and_nothing_past_them() {
    ConfigKeys.ALL
        .values()
        .forEach(
            key -> {
              switch (key.kind()) {
                case COUNT, BYTES, DURATION -> {
                  assertThat(ownFaults(key, key.least())).as(key.path()).isEmpty();
                  assertThat(ownFaults(key, key.most())).as(key.path()).isEmpty();
                  assertThat(ownFaults(key, key.most() + 1)).as(key.path()).hasSize(1);
                  assertThat(ownFaults(key, key.least() - 1)).as(key.path()).hasSize(1);
                }
                default -> {}
              }
            });
  }

  /** The faults about the bounds of one key: those of the rules between keys name a second key. */
  private List<String> ownFaults(ConfigKey key, long value) {
    String members = key.path().startsWith("source.") ? "source.zeta.members: http://a\n" : "";
    return faults(members + key.path() + ": " + value).stream()
        .filter(fault -> fault.equals(bound(key, value)))
        .toList();
  }

  private static String bound(ConfigKey key, long value) {
    return key.path() + ": " + value + " (expected: " + key.expected() + ")";
  }

  @Test
  void a_flag_is_true_or_false() throws Exception {
    assertThat(load("http.metrics.auth: false").http().metricsAuth()).isFalse();
    assertThat(load("", "HEADGATE_HTTP_METRICS_AUTH", "true").http().metricsAuth()).isTrue();
    assertThat(faults("http.metrics.auth: maybe"))
        .containsExactly("http.metrics.auth: maybe (expected: true or false)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "admission.deadline: 10s | admission.deadline: 10s (expected: less than"
            + " http.requestDeadline, 10s)",
        "http.headerDeadline: 11s | http.headerDeadline: 11s (expected: at most"
            + " http.requestDeadline, 10s)",
        "http.idleTimeout: 10s | http.requestDeadline: 10s (expected: less than"
            + " http.idleTimeout, 10s)",
        "http.writeDeadline: 9s | http.requestDeadline: 10s (expected: at most"
            + " http.writeDeadline, 9s)",
        "admission.unwrittenBytes: 7MiB | admission.unwrittenBytes: 7MiB (expected: at least"
            + " limits.responseBytes, 8MiB)",
        "http.basePath: /x/ | http.basePath: /x/ (expected: empty, or /segments without a"
            + " last slash)",
        "http.tls.key: pom.xml | http.tls.certificate: none (expected: a value, since http.tls.key"
            + " is set)",
        "http.tls: {key: pom.xml, certificate: nowhere.pem} | http.tls.certificate: nowhere.pem can't be read"
            + " (expected: a readable file)",
        "http.auth.basic.usersFile: nowhere | http.auth.basic.usersFile: nowhere can't be read (expected:"
            + " a readable file)",
        "source.zeta: {members: \"http://a\", abandonAfter: 4s} | admission.deadline: 5s"
            + " (expected: at most source.zeta.abandonAfter, 4s)",
        "source.zeta: {members: \"http://a\", username: u} | source.zeta.password: none (expected:"
            + " a value, since source.zeta.username is set)",
        "source.zeta.username: u | source.zeta.members: none (expected: a base URL, since"
            + " source.zeta.username is set)",
        "source.order: zeta | source.zeta.members: none (expected: a base URL, since source.order is"
            + " set)",
        "source.order: [recorded, spark] | source.order: spark (expected: embedded, zeta, directory,"
            + " recorded, each once)",
        "source.order: [recorded, recorded] | source.order: recorded (expected: embedded, zeta,"
            + " directory, recorded, each once)",
        "source.order: directory | source.order: directory (expected: none, since"
            + " source.directory.enabled is false)",
        "{source.directory.enabled: true, hazelcast.enabled: false} | source.directory.enabled: true"
            + " (expected: false, since hazelcast.enabled is false)",
        "hazelcast: {members: [a, b], minimumMembers: 3} | hazelcast.minimumMembers: 3 (expected:"
            + " at most the entries of hazelcast.members, 2)",
        "hazelcast.minimumMembers: 2 | hazelcast.minimumMembers: 2 (expected: 1, since"
            + " hazelcast.members is not set)",
        "hazelcast: {members: [a, b], port: 0} | hazelcast.port: 0 (expected: a fixed port, since"
            + " hazelcast.members is set)",
        "hazelcast.members: [\"http://a\"] | hazelcast.members: http://a (expected: host or"
            + " host:port)",
        "hazelcast.members: [\"a:65536\"] | hazelcast.members: a:65536 (expected: host or"
            + " host:port)",
        "hazelcast.members: [\"a:0\"] | hazelcast.members: a:0 (expected: host or host:port)",
        "http.allowedHosts: [\"http://a\"] | http.allowedHosts: http://a (expected: host or"
            + " host:port)"
      })
  void keys_are_checked_against_each_other(String yaml, String fault) {
    assertThat(faults(yaml)).contains(fault);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HEADGATE_HTTP_HOST",
        "HEADGATE_HTTP_AUTH_BASIC_USERS_FILE",
        "HEADGATE_HTTP_TLS_CERTIFICATE",
        "HEADGATE_HTTP_TLS_KEY",
        "HEADGATE_SOURCE_ZETA_PASSWORD"
      })
  void a_variable_that_was_left_empty_does_not_switch_protection_off(String variable) {
    assertThat(faults("", MEMBERS, "http://a", variable, ""))
        .anySatisfy(
            fault ->
                assertThat(fault).endsWith(": empty (expected: a value, or the key left out)"));
  }

  @Test
  void exactly_at_a_rule_between_keys_is_allowed() throws Exception {
    load("http: {headerDeadline: 10s, writeDeadline: 10s}");
    load("admission.unwrittenBytes: 8MiB");
    load("source.zeta: {members: \"http://a\", abandonAfter: 5s}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ftp://a",
        "a:5801",
        "http:///nohost",
        "http://a?x=1",
        "http://a#f",
        "http://a b",
        "//a/b"
      })
  void a_member_is_a_base_url(String url) {
    assertThat(faults("", MEMBERS, "http://ok," + url))
        .singleElement()
        .satisfies(
            fault ->
                assertThat(fault)
                    .startsWith("source.zeta.members: entry 2 is no base URL")
                    .doesNotContain(url));
  }

  @Test
  void more_members_than_the_ceiling_are_a_fault() {
    String sixtyFive = "http://a,".repeat(65);
    assertThat(faults("", MEMBERS, sixtyFive))
        .containsExactly("source.zeta.members: 65 (expected: at most 64)");
  }

  @Test
  void a_secret_may_stand_in_a_file_of_its_own() throws Exception {
    Path secret = Files.writeString(folder.resolve("password"), SENTINEL + "\n");
    HeadgateConfig config =
        load(
            "source.zeta: {members: \"http://a\", username: u}",
            "HEADGATE_SOURCE_ZETA_PASSWORD",
            "file:" + secret);
    assertThat(config.sources().zeta()).isNotNull();
    assertThat(config.sources().zeta().password()).isEqualTo(SENTINEL);
  }

  @Test
  void a_configuration_prints_no_secret() throws Exception {
    HeadgateConfig config =
        load(
            "",
            MEMBERS,
            "http://" + SENTINEL + ".example:1",
            "HEADGATE_SOURCE_ZETA_USERNAME",
            SENTINEL,
            "HEADGATE_SOURCE_ZETA_PASSWORD",
            SENTINEL);
    assertThat(config.toString()).doesNotContain(SENTINEL).contains("members=1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "source.zeta.password: [" + SENTINEL + "]",
        "source.zeta.password: {" + SENTINEL + "x: 1}",
        "source.zeta.password: file:/nowhere/" + SENTINEL,
        "source.zeta.password: \"" + SENTINEL,
        "source.zeta.password: " + SENTINEL + "\nsource.zeta.password: " + SENTINEL,
        "source.zeta: {password: " + SENTINEL + ", members: \"http://u:" + SENTINEL + "@a\"}",
        "source.zeta.members: \"http://a?token=" + SENTINEL + "\"",
        "source.zeta.passwort: " + SENTINEL
      })
  void no_fault_repeats_a_secret(String yaml) {
    assertThat(faults(yaml)).isNotEmpty().noneMatch(fault -> fault.contains(SENTINEL));
  }

  @Test
  void a_key_given_twice_is_a_fault_with_its_line() {
    assertThat(faults("http:\n  port: 1\n  port: 2\n"))
        .containsExactly("headgate.yaml, line 3: not readable (expected: YAML, each key once)");
    assertThat(faults("http: {port: 1}\nlimits: {nodes: 1}\nhttp: {host: a}\n"))
        .singleElement()
        .satisfies(fault -> assertThat(fault).startsWith("headgate.yaml, line 3"));
  }

  @Test
  void a_file_that_is_no_mapping_is_a_fault() {
    assertThat(faults("- a\n- b\n"))
        .containsExactly("headgate.yaml: no keys (expected: a mapping)");
  }

  @Test
  void a_json_file_is_read_too() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("headgate.json"),
            "{\"http\": {\"port\": 9000}, \"source\": {\"zeta\": {\"members\": [\"http://a\"]}}}");
    HeadgateConfig config = HeadgateConfig.load(file, Map.of());
    assertThat(config.http().port()).isEqualTo(9000);
    assertThat(config.sources().zeta()).isNotNull();
  }

  @Test
  void the_recorded_jobs_are_served_only_while_no_source_key_is_set() throws Exception {
    assertThat(load("source.zeta.members:\n").sources().zeta()).isNull();
    assertThat(faults("source.zeta.members: []\n"))
        .containsExactly("source.zeta.members: none (expected: a base URL)");
    assertThat(faults("", "HEADGATE_SOURCE_ZETA_ATTEMPT_TIMEOUT", "1s"))
        .containsExactly(
            "source.zeta.members: none (expected: a base URL, since source.zeta.attemptTimeout is"
                + " set)");
  }

  @Test
  void published_graphs_and_recorded_jobs_need_no_engine() throws Exception {
    SourcesConfig published = load("source.directory: {enabled: true, history: 2h}").sources();
    assertThat(published.zeta()).isNull();
    assertThat(published.directory()).isNotNull();
    assertThat(published.directory().history()).isEqualTo(Duration.ofHours(2));
    SourcesConfig recorded = load("source.order: RECORDED").sources();
    assertThat(recorded.zeta()).isNull();
    assertThat(recorded.order()).containsExactly(SourcesConfig.Kind.RECORDED);
  }

  @Test
  void members_of_the_cluster_are_hosts_with_or_without_a_port() throws Exception {
    HeadgateConfig config =
        load("hazelcast: {members: [\"10.0.0.7\", \"b:5711\", \"[::1]:5712\"], minimumMembers: 2}");
    assertThat(config.cluster().members()).containsExactly("10.0.0.7", "b:5711", "[::1]:5712");
    assertThat(config.cluster().minimumMembers()).isEqualTo(2);
  }

  private HeadgateConfig load(String yaml, String... variables)
      throws ConfigException, IOException {
    Map<String, String> environment = new TreeMap<>();
    for (int i = 0; i < variables.length; i += 2) {
      environment.put(variables[i], variables[i + 1]);
    }
    return HeadgateConfig.load(
        Files.writeString(folder.resolve("headgate.yaml"), yaml), environment);
  }

  private List<String> faults(String yaml, String... variables) {
    @Nullable ConfigException thrown =
        catchThrowableOfType(ConfigException.class, () -> load(yaml, variables));
    return thrown == null ? List.of() : thrown.faults();
  }
}
