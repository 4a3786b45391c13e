package io.headgate.edge.fn;

import static io.headgate.fn.kit.FnGateway.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.OctetSequenceKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import io.grpc.Status;
import io.headgate.fn.BundleHandle;
import io.headgate.fn.FnAuth;
import io.headgate.fn.kit.FnGateway;
import io.headgate.fn.kit.TestHarness;
import io.headgate.kit.Certificates;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Who gets in at the Fn port where tokens or TLS are asked for. */
class FnAccessTest {
  @TempDir static Path folder;

  private static ECKey ours;
  private static ECKey theirs;
  private static OctetSequenceKey shared;
  private static FnAuth auth;

  @BeforeAll
  static void makeKeys() throws JOSEException, IOException {
    ours = new ECKeyGenerator(Curve.P_256).keyID("k1").generate();
    theirs = new ECKeyGenerator(Curve.P_256).keyID("k1").generate();
    shared = new OctetSequenceKeyGenerator(256).keyID("k2").generate();
    Path keys = folder.resolve("keys.json");
    Files.writeString(keys, new JWKSet(List.of(ours.toPublicJWK(), shared)).toString(false));
    auth = new FnAuth(keys.toString(), "https://issuer.example/", "headgate", null);
  }

  private static JWTClaimsSet.Builder claims() {
    return new JWTClaimsSet.Builder()
        .issuer("https://issuer.example/")
        .audience("headgate")
        .subject("harness-farm")
        .expirationTime(Date.from(Instant.now().plusSeconds(300)));
  }

  private static String signed(ECKey key, JWTClaimsSet claims) throws JOSEException {
    return signed(JWSAlgorithm.ES256, new ECDSASigner(key), claims);
  }

  private static String signed(JWSAlgorithm algorithm, JWSSigner signer, JWTClaimsSet claims)
      throws JOSEException {
    SignedJWT token =
        new SignedJWT(new JWSHeader.Builder(algorithm).type(JOSEObjectType.JWT).build(), claims);
    token.sign(signer);
    return "Bearer " + token.serialize();
  }

  static Stream<Arguments> bad() throws JOSEException {
    String good = signed(ours, claims().build());
    return Stream.of(
        Arguments.of("none", null),
        Arguments.of("another scheme", "Basic " + good.substring(7)),
        Arguments.of("no token", "Bearer "),
        Arguments.of("garbage", "Bearer a.b.c"),
        Arguments.of("a changed signature", good.substring(0, good.length() - 4) + "AAAA"),
        Arguments.of("another key", signed(theirs, claims().build())),
        Arguments.of("unsigned", "Bearer " + new PlainJWT(claims().build()).serialize()),
        Arguments.of(
            "a shared secret, although it is in the set",
            signed(JWSAlgorithm.HS256, new MACSigner(shared), claims().build())),
        Arguments.of(
            "another issuer", signed(ours, claims().issuer("https://else.example/").build())),
        Arguments.of("another audience", signed(ours, claims().audience("others").build())),
        Arguments.of(
            "expired",
            signed(
                ours, claims().expirationTime(Date.from(Instant.now().minusSeconds(120))).build())),
        Arguments.of("no expiry", signed(ours, claims().expirationTime(null).build())),
        Arguments.of("no subject", signed(ours, claims().subject(null).build())),
        Arguments.of("an empty subject", signed(ours, claims().subject("").build())),
        Arguments.of("far too long", good + "A".repeat(4_000)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("bad")
  void F9_a_stream_without_a_valid_token_is_refused(String name, String authorization)
      throws IOException {
    assertThat(BearerTokens.read(auth).subject(authorization)).isNull();
  }

  @Test
  void F9_with_tokens_a_harness_gets_in_with_one_and_its_id_belongs_to_the_subject()
      throws JOSEException {
    try (FnGateway gateway = FnGateway.open(Map.of(), null, null, auth);
        TestHarness none = TestHarness.withToken(gateway.port(), "w1", null);
        TestHarness good =
            TestHarness.withToken(gateway.port(), "w1", signed(ours, claims().build()));
        TestHarness other =
            TestHarness.withToken(
                gateway.port(), "w1", signed(ours, claims().subject("somebody").build()))) {
      assertThat(none.control().ended()).isEqualTo(Status.Code.UNAUTHENTICATED);
      assertThat(gateway.metric("headgate_fn_streams_unauthenticated_total")).isOne();
      assertThat(good.control().accepted()).isTrue();
      assertThat(other.data().ended()).isEqualTo(Status.Code.PERMISSION_DENIED);
      assertThat(none.logging().ended()).isEqualTo(Status.Code.UNAUTHENTICATED);
      good.echoing();
      gateway.register("d1");
      BundleHandle bundle = gateway.start("w1", "d1");
      Future<Buffer> output = gateway.collect(bundle);
      gateway.give(bundle, "let in");
      assertThat(get(output)).hasToString("let in");
    }
  }

  @Test
  void F9_a_new_key_set_counts_without_a_restart() throws JOSEException, IOException {
    Path keys = folder.resolve("rotated.json");
    Files.writeString(keys, new JWKSet(theirs.toPublicJWK()).toString(true));
    Files.setLastModifiedTime(keys, FileTime.from(Instant.now().minusSeconds(60)));
    FnAuth rotated = new FnAuth(keys.toString(), auth.issuer(), auth.audience(), null);
    String token = signed(ours, claims().build());
    try (FnGateway gateway = FnGateway.open(Map.of(), null, null, rotated)) {
      try (TestHarness early = TestHarness.withToken(gateway.port(), "w1", token)) {
        assertThat(early.control().ended()).isEqualTo(Status.Code.UNAUTHENTICATED);
      }
      Files.writeString(keys, "{");
      Files.writeString(keys, new JWKSet(ours.toPublicJWK()).toString(true));
      await()
          .atMost(Duration.ofSeconds(30))
          .until(
              () -> {
                try (TestHarness late = TestHarness.withToken(gateway.port(), "w1", token)) {
                  return late.control().accepted();
                }
              });
    }
  }

  @Test
  void F9_a_key_set_that_can_check_nothing_is_refused() throws IOException, JOSEException {
    Path keys = folder.resolve("useless.json");
    for (String content :
        List.of("", "{}", "{\"keys\":[]}", new JWKSet(List.of(shared)).toString(false))) {
      Files.writeString(keys, content);
      FnAuth useless = new FnAuth(keys.toString(), "i", "a", null);
      assertThatThrownBy(() -> BearerTokens.read(useless)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void F9_harnesses_connect_over_tls() throws Exception {
    Certificates pair = Certificates.forLoopback();
    try (FnGateway gateway =
            FnGateway.open(Map.of(), pair.certificate().toString(), pair.key().toString(), null);
        TestHarness harness = TestHarness.overTls(gateway.port(), "w1", pair.certificate())) {
      assertThat(harness.control().accepted()).isTrue();
      harness.echoing();
      gateway.register("d1");
      BundleHandle bundle = gateway.start("w1", "d1");
      Future<Buffer> output = gateway.collect(bundle);
      gateway.give(bundle, "under wraps");
      assertThat(get(output)).hasToString("under wraps");
      try (TestHarness plain = TestHarness.idle(gateway.port(), "w2")) {
        assertThat(plain.control().ended()).isEqualTo(Status.Code.UNAVAILABLE);
      }
    }
  }
}
