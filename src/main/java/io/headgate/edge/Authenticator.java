package io.headgate.edge;

import io.headgate.admission.Permits;
import io.headgate.admission.Workers;
import io.vertx.core.Context;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Checks Basic credentials (L24). Passwords are hashed on two threads of their own; a check that
 * finds both taken is refused. Requests that bring the same credentials at the same time share one
 * check, and a success is remembered for a minute under a keyed digest, so that a poller pays once
 * a minute.
 *
 * <p>Safe on any thread; never blocks the caller.
 */
final class Authenticator implements AutoCloseable {
  /** What came of a check. */
  enum Verdict {
    ALLOWED,
    /** No credentials, or wrong ones. */
    UNKNOWN,
    /** Right credentials without the role. */
    FORBIDDEN,
    /** No thread is free to check them. */
    BUSY
  }

  private static final int THREADS = 2;
  private static final int REMEMBERED = 1_000;
  private static final int MAX_WAITERS = 10_000;
  private static final long REMEMBER_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final String SCHEME = "basic ";

  private final Users users;
  private final LongSupplier nanoClock;
  private final Permits permits = new Permits(THREADS);
  private final Workers workers = new Workers("headgate-auth", THREADS);
  private final SecretKeySpec key;

  // Guarded by this.
  private final LinkedHashMap<ByteBuffer, Known> known = new LinkedHashMap<>(16, 0.75f, true);
  private final Map<ByteBuffer, List<Waiter>> checking = new HashMap<>();

  private record Known(Set<Users.Role> roles, long until) {}

  private record Waiter(Users.Role role, Context context, Consumer<Verdict> delivery) {
    void deliver(@Nullable Set<Users.Role> roles) {
      Verdict verdict = roles == null ? Verdict.UNKNOWN : verdict(roles, role);
      context.runOnContext(event -> delivery.accept(verdict));
    }
  }

  Authenticator(Users users, LongSupplier nanoClock) {
    this.users = users;
    this.nanoClock = nanoClock;
    byte[] secret = new byte[32];
    new SecureRandom().nextBytes(secret);
    key = new SecretKeySpec(secret, "HmacSHA256");
  }

  private static Verdict verdict(Set<Users.Role> roles, Users.Role role) {
    return roles.contains(role) ? Verdict.ALLOWED : Verdict.FORBIDDEN;
  }

  /**
   * Checks the value of an {@code Authorization} header.
   *
   * @param role what the request needs
   * @param context where {@code delivery} runs if the answer has to wait
   * @return the verdict if it is known at once, else null, and {@code delivery} gets it later
   */
  @Nullable Verdict check(
      @Nullable String header, Users.Role role, Context context, Consumer<Verdict> delivery) {
    byte[] credentials = credentials(header);
    if (credentials == null) {
      return Verdict.UNKNOWN;
    }
    ByteBuffer digest = ByteBuffer.wrap(digest(credentials));
    Permits.Permit permit;
    synchronized (this) {
      Known user = known.get(digest);
      if (user != null && user.until - nanoClock.getAsLong() > 0) {
        return verdict(user.roles, role);
      }
      List<Waiter> waiting = checking.get(digest);
      if (waiting != null) {
        return waiting.size() < MAX_WAITERS && waiting.add(new Waiter(role, context, delivery))
            ? null
            : Verdict.BUSY;
      }
      permit = permits.tryAcquire();
      if (permit == null) {
        return Verdict.BUSY;
      }
      waiting = new ArrayList<>(1);
      waiting.add(new Waiter(role, context, delivery));
      checking.put(digest, waiting);
    }
    workers.execute(() -> verify(credentials, digest, permit));
    return null;
  }

  private void verify(byte[] credentials, ByteBuffer digest, Permits.Permit permit) {
    Set<Users.Role> roles = null;
    try {
      int colon = colon(credentials);
      String name = new String(credentials, 0, colon, StandardCharsets.UTF_8);
      byte[] password = java.util.Arrays.copyOfRange(credentials, colon + 1, credentials.length);
      roles = users.verify(name, password);
    } catch (IllegalArgumentException e) {
      // A password that bcrypt can't take is a wrong password.
      roles = null;
    } finally {
      List<Waiter> waiting;
      synchronized (this) {
        waiting = checking.remove(digest);
        if (roles != null) {
          known.put(digest, new Known(roles, nanoClock.getAsLong() + REMEMBER_NANOS));
          if (known.size() > REMEMBERED) {
            known.remove(known.keySet().iterator().next());
          }
        }
      }
      permit.end(Permits.Ending.SUCCESS);
      if (waiting != null) {
        for (Waiter waiter : waiting) {
          waiter.deliver(roles);
        }
      }
    }
  }

  /**
   * The user of a header that has been checked, for log lines. Whatever was not checked may be a
   * password in the wrong place.
   */
  static String user(@Nullable String header) {
    byte[] credentials = credentials(header);
    return credentials == null
        ? ""
        : new String(credentials, 0, colon(credentials), StandardCharsets.UTF_8);
  }

  private static int colon(byte[] credentials) {
    int colon = 0;
    while (credentials[colon] != ':') {
      colon++;
    }
    return colon;
  }

  /** The bytes {@code user:password} of a header, or null if it holds none. */
  private static byte @Nullable [] credentials(@Nullable String header) {
    if (header == null || !header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      return null;
    }
    byte[] decoded;
    try {
      decoded = Base64.getDecoder().decode(header.substring(SCHEME.length()).trim());
    } catch (IllegalArgumentException e) {
      return null;
    }
    for (byte b : decoded) {
      if (b == ':') {
        return decoded;
      }
    }
    return null;
  }

  private byte[] digest(byte[] credentials) {
    try {
      Mac mac = Mac.getInstance(key.getAlgorithm());
      mac.init(key);
      return mac.doFinal(credentials);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has HmacSHA256", e);
    }
  }

  /** How many checks found no free thread. */
  long refused() {
    return permits.refused();
  }

  @Override
  public void close() {
    workers.close();
  }
}
