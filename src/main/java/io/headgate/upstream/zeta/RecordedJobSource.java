package io.headgate.upstream.zeta;

import io.headgate.graph.Call;
import io.headgate.graph.Deadline;
import io.headgate.graph.GraphLimits;
import io.headgate.graph.JobGraphSource;
import io.headgate.graph.JobLister;
import io.headgate.graph.JobListing;
import io.headgate.graph.JobSelection;
import io.headgate.graph.JobSummary;
import io.headgate.graph.Lookup;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * The embedded default: jobs that were recorded from real engines, served when no source is
 * configured, so that a newcomer sees answers of every kind before there is an engine.
 *
 * <p>Bodies go through the same reading and parsing as a live engine's. One job is not recorded but
 * made: {@link #TOO_LARGE}, a chain one node longer than the limit allows. {@link #lookup} may be
 * called on any thread; parsing runs on {@code workers}.
 */
public final class RecordedJobSource implements JobGraphSource, JobLister {
  /** The job that always passes the node limit. */
  public static final long TOO_LARGE = 1179718928820000001L;

  private static final String FOLDER = "/io/headgate/recorded/";

  private final GraphLimits limits;
  private final int maxBodyBytes;
  private final Executor workers;
  private final JobInfoParser parser;
  private final Map<Long, String> titles = new LinkedHashMap<>();
  private final Map<Long, byte[]> bodies = new LinkedHashMap<>();
  private final List<JobSummary> jobs = new ArrayList<>();

  /**
   * Loads the recordings from the class path.
   *
   * @param workers where bodies are parsed
   */
  public RecordedJobSource(GraphLimits limits, int maxBodyBytes, Executor workers) {
    this.limits = limits;
    this.maxBodyBytes = maxBodyBytes;
    this.workers = workers;
    this.parser = new JobInfoParser(limits);
    String index = new String(resource("index.tsv"), StandardCharsets.UTF_8);
    for (String line : index.lines().toList()) {
      int tab = line.indexOf('\t');
      long id = Long.parseLong(line.substring(0, tab));
      titles.put(id, line.substring(tab + 1));
      bodies.put(id, resource(id + ".json"));
    }
    titles.put(TOO_LARGE, "made, not recorded: one node over the limit");
    bodies.values().forEach(body -> addJob(body, limits.stringBytes()));
    addJob(chain(TOO_LARGE, 2), limits.stringBytes());
  }

  private void addJob(byte[] body, int maxNameBytes) {
    ListedJob job = new ListedJob(ListedJob.buffer(maxNameBytes), maxNameBytes);
    new ObjectScanner(job).feed(body, 0);
    JobSummary summary = job.summary(!job.hasEnded());
    if (summary != null) {
      jobs.add(summary);
    }
  }

  private static byte[] resource(String name) {
    try (InputStream in = RecordedJobSource.class.getResourceAsStream(FOLDER + name)) {
      if (in == null) {
        throw new IllegalStateException("missing from the class path: " + FOLDER + name);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What there is: id and a line about each job. */
  public Map<Long, String> titles() {
    return Map.copyOf(titles);
  }

  @Override
  public Call<JobListing> list(int most, Deadline deadline) {
    JobSelection selection = new JobSelection(most);
    jobs.forEach(selection::add);
    return Call.of(new JobListing.Read(selection.jobs(), !selection.leftOut()));
  }

  @Override
  public Call<Lookup> lookup(long jobId, Deadline deadline) {
    if (!titles.containsKey(jobId)) {
      return Call.of(new Lookup.NotFound());
    }
    return Call.of(CompletableFuture.supplyAsync(() -> read(jobId), workers));
  }

  private Lookup read(long jobId) {
    byte[] body = bodies.get(jobId);
    JobInfoSlicer slicer = new JobInfoSlicer(maxBodyBytes);
    slicer.feed(body == null ? chain(jobId, limits.nodes() + 1) : body);
    return parser.parse(slicer, jobId);
  }

  private static byte[] chain(long jobId, int nodes) {
    StringBuilder json = new StringBuilder(nodes * 130);
    json.append("{\"jobId\":\"")
        .append(jobId)
        .append("\",\"jobName\":\"chain\",\"jobStatus\":\"RUNNING\"")
        .append(",\"createTime\":\"2026-11-30 09:41:54\",\"jobDag\":{\"jobId\":\"")
        .append(jobId)
        .append("\",\"pipelineEdges\":{\"1\":[");
    for (int i = 1; i < nodes; i++) {
      json.append(i == 1 ? "" : ",")
          .append("{\"inputVertexId\":\"")
          .append(i)
          .append("\",\"targetVertexId\":\"")
          .append(i + 1)
          .append("\"}");
    }
    json.append("]},\"vertexInfoMap\":[");
    for (int i = 1; i <= nodes; i++) {
      String kind = i == 1 ? "source" : i == nodes ? "sink" : "transform";
      json.append(i == 1 ? "" : ",")
          .append("{\"vertexId\":")
          .append(i)
          .append(",\"type\":\"")
          .append(kind)
          .append("\",\"vertexName\":\"stage ")
          .append(i)
          .append("\",\"tablePaths\":[]}");
    }
    return json.append("]}}").toString().getBytes(StandardCharsets.US_ASCII);
  }
}
