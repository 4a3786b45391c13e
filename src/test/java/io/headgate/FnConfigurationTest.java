package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.headgate.fn.FnConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an operator may say about the Fn port, and what is refused. */
class FnConfigurationTest {
  @TempDir Path folder;

  private FnConfig load(String settings) throws ConfigException, IOException {
    Path file = Files.writeString(folder.resolve("headgate.yaml"), "fn: {" + settings + "}");
    return HeadgateConfig.load(file, Map.of()).fn();
  }

  private List<String> faults(String settings) {
    @Nullable ConfigException thrown =
        catchThrowableOfType(ConfigException.class, () -> load(settings));
    return thrown == null ? List.of() : thrown.faults();
  }

  private String file(String name) throws IOException {
    return Files.writeString(folder.resolve(name), "touched").toString();
  }

  @Test
  void the_port_is_off_unless_it_is_switched_on() throws Exception {
    assertThat(load("")).isEqualTo(FnConfig.DEFAULT);
    assertThat(FnConfig.DEFAULT.enabled()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"10.0.0.1", "gateway.example"})
  void F9_beyond_loopback_tokens_and_tls_are_needed(String host) throws Exception {
    String address = "enabled: true, host: " + host;
    String tls = ", tls: {certificate: " + file("c.pem") + ", key: " + file("k.pem") + "}";
    String auth = ", auth: {keySet: " + file("keys") + ", issuer: i, audience: a}";
    String tlsFault =
        "fn.tls.certificate: none (expected: a value, since fn.host, "
            + host
            + ", is beyond loopback)";
    String authFault = tlsFault.replace("fn.tls.certificate", "fn.auth.keySet");
    assertThat(faults(address)).containsExactly(tlsFault, authFault);
    assertThat(faults(address + tls)).containsExactly(authFault);
    assertThat(faults(address + auth)).containsExactly(tlsFault);
    assertThat(load(address + tls + auth).auth()).isNotNull();
    assertThat(faults("host: " + host)).as("while it is off").isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "127.0.0.2", "'::1'"})
  void F9_on_loopback_neither_is_needed(String host) {
    assertThat(faults("enabled: true, host: " + host)).isEmpty();
  }

  @Test
  void F9_half_of_the_settings_for_tokens_or_tls_is_a_fault() throws Exception {
    assertThat(faults("auth.issuer: i, auth.audience: a"))
        .containsExactly(
            "fn.auth.keySet: none (expected: a value, since fn.auth.issuer is set)",
            "fn.auth.keySet: none (expected: a value, since fn.auth.audience is set)");
    assertThat(faults("auth.keySet: " + file("keys") + ", auth.audience: a"))
        .containsExactly("fn.auth.issuer: none (expected: a value, since fn.auth.keySet is set)");
    assertThat(faults("auth.tokenUrl: 'https://issuer.example/token'"))
        .containsExactly("fn.auth.keySet: none (expected: a value, since fn.auth.tokenUrl is set)");
    assertThat(faults("tls.key: " + file("k.pem")))
        .containsExactly("fn.tls.certificate: none (expected: a value, since fn.tls.key is set)");
    assertThat(faults("auth: {keySet: nowhere, issuer: i, audience: a}"))
        .containsExactly("fn.auth.keySet: nowhere can't be read (expected: a readable file)");
  }

  @Test
  void F3_harnesses_are_told_an_address_that_they_can_dial() throws Exception {
    assertThat(load("host: '::1'").advertisedUrl(8078)).isEqualTo("[::1]:8078");
    assertThat(load("").advertisedUrl(4711)).isEqualTo("127.0.0.1:4711");
    assertThat(load("advertisedUrl: 'gateway.example:80'").advertisedUrl(4711))
        .isEqualTo("gateway.example:80");
    assertThat(faults("advertisedUrl: gateway.example"))
        .containsExactly("fn.advertisedUrl: gateway.example (expected: host:port)");
    String all =
        "enabled: true, host: 0.0.0.0, tls: {certificate: "
            + file("c.pem")
            + ", key: "
            + file("k.pem")
            + "}, auth: {keySet: "
            + file("keys")
            + ", issuer: i, audience: a}";
    assertThat(faults(all))
        .containsExactly(
            "fn.advertisedUrl: none (expected: host:port, since fn.host, 0.0.0.0, is no address"
                + " that a harness can dial)");
    assertThat(faults(all + ", advertisedUrl: 'gateway.example:8078'")).isEmpty();
  }

  @Test
  void F3_a_urn_names_ports_of_one_direction() throws Exception {
    FnConfig config = load("ports: {inputs: [a, b], outputs: [c]}");
    assertThat(config.inputUrns()).containsExactly("a", "b");
    assertThat(config.outputUrns()).containsExactly("c");
    assertThat(faults("ports: {inputs: [a, b], outputs: [b]}"))
        .containsExactly("fn.ports.outputs: b (expected: none of fn.ports.inputs)");
    assertThat(faults("ports: {inputs: []}"))
        .containsExactly("fn.ports.inputs: empty (expected: a URN at least, or the key left out)");
  }

  @Test
  void F4_questions_over_http_do_not_need_the_port() throws Exception {
    assertThat(load("http.enabled: true").http()).isTrue();
    assertThat(load("enabled: true, http.enabled: true").http()).isTrue();
  }

  @Test
  void times_and_sizes_can_be_set() throws Exception {
    FnConfig config = load("readIdle: 5s, bundleDeadline: 2m, descriptorBytes: 1MiB, port: 0");
    assertThat(config.limits().readIdle()).isEqualTo(Duration.ofSeconds(5));
    assertThat(config.limits().bundleDeadline()).isEqualTo(Duration.ofMinutes(2));
    assertThat(config.descriptorBytes()).isEqualTo(1 << 20);
    assertThat(config.port()).isZero();
  }
}
