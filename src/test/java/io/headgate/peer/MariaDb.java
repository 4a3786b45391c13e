package io.headgate.peer;

import static org.awaitility.Awaitility.await;

import io.headgate.kit.ChildProcess;
import io.headgate.kit.FreePorts;
import io.headgate.kit.SystemPrograms;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A real MariaDB in a process of its own, on a free loopback port, whose binlog can be followed row
 * by row. Accounts reach it over TCP; the test itself is its administrator over a Unix socket. For
 * one thread at a time. Whoever starts it closes it, which kills it; should the test's JVM die, a
 * watchdog does. What it holds is not meant to survive that.
 */
public final class MariaDb implements AutoCloseable {

  /** Both take a second or two; the rest is for a busy machine. */
  private static final Duration START_LIMIT = Duration.ofSeconds(60);

  /** Over the time that a statement may wait for a lock. */
  private static final Duration STATEMENT_LIMIT = Duration.ofSeconds(40);

  private final MariaDbPrograms programs;
  private final Path folder;
  private final int port = FreePorts.pick(1).get(0);
  private final ChildProcess process;

  private MariaDb(MariaDbPrograms programs, Path folder) {
    this.programs = programs;
    this.folder = folder;
    install();
    this.process =
        ChildProcess.start(
            new ProcessBuilder(server())
                .redirectErrorStream(true)
                .redirectOutput(Redirect.to(log().toFile())));
  }

  /**
   * Returns when it takes statements. Where no MariaDB is installed the test is skipped, or fails
   * if the environment says {@code REQUIRE_MARIADB=true}.
   *
   * @param folder empty, and with a path short enough for a Unix socket
   */
  public static MariaDb start(Path folder) {
    var database = new MariaDb(MariaDbPrograms.installed(), folder);
    try {
      database.awaitUsable();
      return database;
    } catch (RuntimeException | Error e) {
      database.close();
      throw e;
    }
  }

  private void install() {
    SystemPrograms.run(
        List.of(
            programs.installer().toString(),
            "--no-defaults",
            "--datadir=" + data(),
            "--user=" + user(),
            "--force", // else it asks the name service about this machine
            "--skip-name-resolve",
            "--skip-test-db",
            "--debug-no-sync", // more than halves the time
            "--innodb-log-file-size=8M"),
        folder.resolve("install.log"),
        START_LIMIT);
  }

  private List<String> server() {
    return List.of(
        programs.server().toString(),
        "--no-defaults",
        "--datadir=" + data(),
        "--tmpdir=" + folder,
        "--user=" + user(), // refuses to run as root unless told to
        "--socket=" + socket(),
        "--bind-address=127.0.0.1",
        "--port=" + port,
        "--skip-name-resolve",
        "--character-set-server=utf8mb4",
        "--server-id=1",
        "--log-bin=binlog",
        "--binlog-format=ROW",
        "--binlog-row-image=FULL",
        "--lock-wait-timeout=30",
        "--debug-no-sync",
        "--innodb-buffer-pool-size=32M",
        "--innodb-log-file-size=8M");
  }

  private void awaitUsable() {
    await("usable: MariaDB")
        .atMost(START_LIMIT)
        .pollInterval(Duration.ofMillis(50))
        .failFast(this::failIfEnded)
        .ignoreExceptions()
        .until(() -> !rows("SELECT 1").isEmpty());
  }

  private void failIfEnded() {
    if (!process.running()) {
      throw new IllegalStateException("exited early: MariaDB\n" + text(log()));
    }
  }

  /** An account that may read every table and follow the binlog: what change capture needs. */
  public void createReader(String name, String password) {
    createAccount(
        name,
        password,
        "SELECT, RELOAD, SHOW DATABASES, REPLICATION SLAVE, REPLICATION CLIENT ON *.*");
  }

  /**
   * An account with some privileges.
   *
   * @param grant such as {@code SELECT, INSERT ON shop.*}
   */
  public void createAccount(String name, String password, String grant) {
    run("CREATE USER '" + name + "'@'127.0.0.1' IDENTIFIED BY '" + password + "'");
    run("GRANT " + grant + " TO '" + name + "'@'127.0.0.1'");
  }

  /**
   * A client with this account follows the binlog and holds no table any more. An {@code ALTER
   * TABLE} that comes earlier waits for the client's reading of the whole table, and makes it wait.
   */
  public boolean isFollowedBy(String account) {
    String clients = "information_schema.processlist p WHERE p.user = '" + account + "' AND ";
    return rows("SELECT EXISTS(SELECT * FROM "
            + clients
            + "p.command = 'Binlog Dump') AND NOT EXISTS(SELECT * FROM "
            + clients
            + "p.id IN (SELECT trx_mysql_thread_id FROM information_schema.innodb_trx))")
        .equals(List.of("1"));
  }

  /** Statements separated by semicolons, as the administrator. */
  public void run(String sql) {
    execute(sql);
  }

  /** One string a row, its columns separated by tabs. */
  public List<String> rows(String sql) {
    return execute(sql).lines().toList();
  }

  /** An account that MariaDB made for the system's user needs no password on the socket. */
  private String execute(String sql) {
    return SystemPrograms.run(
        List.of(
            programs.client().toString(),
            "--no-defaults",
            "--socket=" + socket(),
            "--user=" + user(),
            "--batch",
            "--skip-column-names",
            "--execute=" + sql),
        folder.resolve("client.log"),
        STATEMENT_LIMIT);
  }

  /** Of 127.0.0.1. */
  public int port() {
    return port;
  }

  private Path data() {
    return folder.resolve("data");
  }

  private Path socket() {
    return folder.resolve("socket");
  }

  private Path log() {
    return folder.resolve("server.log");
  }

  private static String user() {
    return System.getProperty("user.name");
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.close();
  }
}
