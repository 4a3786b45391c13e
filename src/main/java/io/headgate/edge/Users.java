package io.headgate.edge;

import at.favre.lib.crypto.bcrypt.BCrypt;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Who may use the gateway (L24): the lines {@code user:bcrypt-hash:roles} of the users file, roles
 * being {@code read}, {@code write} or both with a comma. Empty lines and lines that begin with
 * {@code #} are passed over. Immutable.
 */
public final class Users {
  /** What a user may do. */
  public enum Role {
    READ,
    WRITE
  }

  private static final Pattern LINE =
      Pattern.compile("([^:\\s]{1,128}):(\\$2[aby]\\$(\\d\\d)\\$[./A-Za-z0-9]{53}):([a-z, ]+)");

  /** Below it a stolen file is guessed too fast; above it a check takes too much CPU. */
  private static final int LEAST_COST = 10;

  private static final int MOST_COST = 12;

  private final Map<String, User> byName;
  private final byte[] nobody;

  private record User(byte[] hash, Set<Role> roles) {}

  private Users(Map<String, User> byName, byte[] nobody) {
    this.byName = byName;
    this.nobody = nobody;
  }

  /**
   * Reads the lines of a users file.
   *
   * @param faults gets one line for each fault, with its line number and without its content
   * @return the users of the lines without faults
   */
  public static Users parse(List<String> lines, List<String> faults) {
    Map<String, User> byName = new LinkedHashMap<>();
    int highestCost = LEAST_COST;
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      Matcher matcher = LINE.matcher(line);
      String fault = null;
      if (!matcher.matches()) {
        fault = "expected: user:bcrypt-hash:roles";
      } else {
        int cost = Integer.parseInt(matcher.group(3));
        Set<Role> roles = roles(matcher.group(4));
        if (cost < LEAST_COST || cost > MOST_COST) {
          fault = "expected: a bcrypt cost of " + LEAST_COST + " to " + MOST_COST;
        } else if (roles == null) {
          fault = "expected: the roles read, write, or both with a comma";
        } else {
          byte[] hash = matcher.group(2).getBytes(StandardCharsets.US_ASCII);
          if (byName.put(matcher.group(1), new User(hash, roles)) != null) {
            fault = "expected: each user once";
          }
          highestCost = Math.max(highestCost, cost);
        }
      }
      if (fault != null) {
        faults.add("line " + (i + 1) + " (" + fault + ")");
      }
    }
    if (byName.isEmpty() && faults.isEmpty()) {
      faults.add("no users (expected: at least one line user:bcrypt-hash:roles)");
    }
    return new Users(byName, anyHash(highestCost));
  }

  private static @Nullable Set<Role> roles(String text) {
    Set<Role> roles = EnumSet.noneOf(Role.class);
    for (String word : text.split(",")) {
      switch (word.strip().toLowerCase(Locale.ROOT)) {
        case "read" -> roles.add(Role.READ);
        case "write" -> roles.add(Role.WRITE);
        default -> {
          return null;
        }
      }
    }
    return roles;
  }

  /** A hash that no password is known for, so that an unknown user costs what a known one does. */
  private static byte[] anyHash(int cost) {
    byte[] password = new byte[32];
    new java.security.SecureRandom().nextBytes(password);
    return BCrypt.withDefaults().hash(cost, java.util.Arrays.copyOf(password, 32));
  }

  /**
   * Checks a password; takes as long as bcrypt takes, so never on an event loop.
   *
   * @return the user's roles, or null if user or password is wrong
   */
  @Nullable Set<Role> verify(String name, byte[] password) {
    User user = byName.get(name);
    byte[] hash = user == null ? nobody : user.hash;
    boolean matches = BCrypt.verifyer().verify(password, hash).verified;
    return matches && user != null ? user.roles : null;
  }

  /** How many there are. */
  public int count() {
    return byName.size();
  }

  /** Only how many: names and hashes stay out of logs. */
  @Override
  public String toString() {
    return "Users[" + byName.size() + "]";
  }
}
