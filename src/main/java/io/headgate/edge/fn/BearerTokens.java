package io.headgate.edge.fn;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.AsymmetricJWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.ImmutableJWKSet;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import io.headgate.fn.FnAuth;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks the bearer tokens of harnesses (F9): signed with a key of the set, by the issuer, for this
 * audience, not expired, and with a subject. Only signatures with a public key are taken. A token
 * is checked when a stream opens, which takes a fraction of a millisecond. Safe on any thread.
 */
public final class BearerTokens {
  private static final String SCHEME = "Bearer ";

  /** Request headers have twice as much. */
  private static final int MOST_CHARS = 4_096;

  private final DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();

  private BearerTokens(JWKSet keys, FnAuth auth) {
    Set<JWSAlgorithm> algorithms = new HashSet<>(JWSAlgorithm.Family.RSA);
    algorithms.addAll(JWSAlgorithm.Family.EC);
    processor.setJWSTypeVerifier(
        new DefaultJOSEObjectTypeVerifier<>(
            JOSEObjectType.JWT, new JOSEObjectType("at+jwt"), null));
    processor.setJWSKeySelector(
        new JWSVerificationKeySelector<>(algorithms, new ImmutableJWKSet<>(keys)));
    processor.setJWTClaimsSetVerifier(
        new DefaultJWTClaimsVerifier<>(
            auth.audience(),
            new JWTClaimsSet.Builder().issuer(auth.issuer()).build(),
            Set.of("sub", "exp")));
  }

  /**
   * Reads the key set. Blocks on a file; not for an event loop.
   *
   * @throws IOException if it can't be read, or holds no public key; the message holds nothing of
   *     its content
   */
  public static BearerTokens read(FnAuth auth) throws IOException {
    JWKSet keys;
    try {
      keys = JWKSet.parse(Files.readString(Path.of(auth.keySet())));
    } catch (ParseException e) {
      throw new IOException("no readable JSON Web Key Set");
    }
    if (keys.getKeys().stream().noneMatch(key -> key instanceof AsymmetricJWK)) {
      throw new IOException("no public key");
    }
    return new BearerTokens(keys, auth);
  }

  /**
   * The subject of the token in this header.
   *
   * @param authorization the header, or null if there is none
   * @return null if there is no valid token
   */
  @Nullable String subject(@Nullable String authorization) {
    if (authorization == null
        || authorization.length() > MOST_CHARS
        || !authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      return null;
    }
    try {
      String subject =
          processor.process(authorization.substring(SCHEME.length()), null).getSubject();
      return subject == null || subject.isEmpty() ? null : subject; // who is nobody owns nothing
    } catch (ParseException | BadJOSEException | JOSEException e) {
      return null;
    }
  }
}
