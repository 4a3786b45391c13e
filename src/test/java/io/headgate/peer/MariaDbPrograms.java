package io.headgate.peer;

import io.headgate.kit.SystemPrograms;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The programs of an installed MariaDB. Nothing here needs or touches a service of the system.
 *
 * @param server the database itself
 * @param installer makes an empty data directory
 * @param client runs SQL
 */
record MariaDbPrograms(Path server, Path installer, Path client) {

  /** Set to true where a missing MariaDB has to be a failure, as in {@code .ci/run}. */
  private static final String REQUIRED = "REQUIRE_MARIADB";

  private static final String MISSING =
      "no MariaDB on this machine; Debian's packages are mariadb-server-core, mariadb-client-core";

  /** Skips the test where there is none, or fails it where there has to be one. */
  static MariaDbPrograms installed() {
    Optional<Path> server = SystemPrograms.find("mariadbd");
    Optional<Path> installer = SystemPrograms.find("mariadb-install-db");
    Optional<Path> client = SystemPrograms.find("mariadb");
    if (server.isPresent() && installer.isPresent() && client.isPresent()) {
      return new MariaDbPrograms(server.get(), installer.get(), client.get());
    }
    return SystemPrograms.missing(MISSING, REQUIRED);
  }
}
