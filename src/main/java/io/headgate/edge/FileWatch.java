package io.headgate.edge;

import io.headgate.admission.Workers;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks now and then whether files have changed, and has them read anew. Where that can't be done,
 * as while they are being replaced, what was read before stays, and it is tried again when they
 * change again. Reads on one thread of its own.
 */
public final class FileWatch implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(FileWatch.class);
  private static final long LOOK_EVERY_MILLIS = 2_000;

  private final Vertx vertx;
  private final String keys;
  private final String what;
  private final List<String> files;
  private final Reading reading;
  private final Workers reader;
  private final long timer;
  private List<FileTime> seen = List.of();

  /** Reads the files and puts what they hold in use. */
  public interface Reading {
    /**
     * Called on the thread of this watch.
     *
     * @throws IOException if they can't be used; its message is for the log
     */
    void read() throws IOException;
  }

  /**
   * @param thread the name of its thread
   * @param keys what the settings of these files begin with, for log lines
   * @param what they are, for log lines
   */
  public FileWatch(
      Vertx vertx, String thread, String keys, String what, List<String> files, Reading reading) {
    this.vertx = vertx;
    this.keys = keys;
    this.what = what;
    this.files = List.copyOf(files);
    this.reading = reading;
    reader = new Workers(thread, 1);
    reader.execute(() -> seen = changed());
    timer = vertx.setPeriodic(LOOK_EVERY_MILLIS, t -> tick());
  }

  private void tick() {
    if (reader.queued() == 0) {
      reader.execute(this::look);
    }
  }

  private void look() {
    List<FileTime> now = changed();
    if (now.isEmpty() || now.equals(seen)) {
      return;
    }
    try {
      reading.read();
      seen = now;
      log.info("{}: the new {} is in use", keys, what);
    } catch (IOException e) {
      log.warn("{}: the old {} stays: {}", keys, what, e.getMessage());
    }
  }

  private List<FileTime> changed() {
    List<FileTime> times = new ArrayList<>();
    try {
      for (String file : files) {
        times.add(Files.getLastModifiedTime(Path.of(file)));
      }
      return times;
    } catch (IOException e) {
      return List.of(); // one of them is just being replaced
    }
  }

  @Override
  public void close() {
    vertx.cancelTimer(timer);
    reader.close();
  }
}
