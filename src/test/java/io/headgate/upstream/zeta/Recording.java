package io.headgate.upstream.zeta;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One recorded answer of a real engine, from {@code zeta-recordings} of the test resources.
 *
 * @param engine the folder, the engine's version
 * @param name the file's name without its ending
 * @param status the HTTP status it came with
 * @param jobId the id that was asked for; 42 where the client asked for something that is no id
 * @param body the exact bytes
 */
record Recording(String engine, String name, int status, long jobId, byte[] body) {
  private static final Pattern ASKED =
      Pattern.compile("(?:job-info|running-job)/([1-9][0-9]{0,18})(?![0-9])");
  private static final Pattern STATUS = Pattern.compile("(?m)^status: (?:HTTP/1.1 )?([0-9]{3})");
  private static final Pattern ONE_JOB =
      Pattern.compile(".*(job-info|running-job_|transition|repeat).*");

  /** Every recorded answer of the calls that ask for one job. */
  static List<Recording> ofOneJob() {
    return matching(ONE_JOB);
  }

  /** Every recorded list of finished jobs that is not empty. */
  static List<Recording> ofFinishedJobs() {
    return matching(Pattern.compile(".*finished-jobs.*"));
  }

  /** Every recorded list that is empty. */
  static List<Recording> ofEmptyLists() {
    return matching(Pattern.compile("00_(running|finished)_jobs_empty.*"));
  }

  /**
   * Lists of active jobs, one an engine, put together from its recorded answers about one each: the
   * elements of a list are such bodies.
   */
  static List<Recording> activeLists() {
    return matching(Pattern.compile("02_running-job_.*")).stream()
        .collect(Collectors.groupingBy(Recording::engine, TreeMap::new, Collectors.toList()))
        .values()
        .stream()
        .map(Recording::listOf)
        .toList();
  }

  private static Recording listOf(List<Recording> jobs) {
    String list =
        jobs.stream()
            .map(job -> new String(job.body(), StandardCharsets.UTF_8))
            .collect(Collectors.joining(",", "[", "]"));
    byte[] body = list.getBytes(StandardCharsets.UTF_8);
    return new Recording(jobs.get(0).engine(), "running-jobs", 200, 42, body);
  }

  static Recording of(String engine, String name) {
    return read(folder().resolve(engine).resolve(name + ".json"));
  }

  private static List<Recording> matching(Pattern name) {
    try (Stream<Path> files = Files.walk(folder())) {
      return files
          .filter(file -> file.toString().endsWith(".json"))
          .filter(file -> name.matcher(file.getFileName().toString()).matches())
          .sorted()
          .map(Recording::read)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path folder() {
    try {
      return Path.of(Recording.class.getResource("/zeta-recordings").toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Recording read(Path file) {
    String name = file.getFileName().toString().replace(".json", "");
    try {
      String meta = Files.readString(file.resolveSibling(name + ".meta"));
      Matcher status = STATUS.matcher(meta);
      if (!status.find()) {
        throw new IllegalStateException("no status in the meta file of " + file);
      }
      Matcher asked = ASKED.matcher(meta);
      return new Recording(
          file.getParent().getFileName().toString(),
          name,
          Integer.parseInt(status.group(1)),
          asked.find() ? Long.parseLong(asked.group(1)) : 42,
          Files.readAllBytes(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String toString() {
    return engine + "/" + name;
  }
}
