package io.headgate.kit;

import java.util.Locale;

/**
 * What a service sends to publish: a running execution with the graph of {@link JobInfo}.
 *
 * @param graph the {@code graph} member's JSON text, or empty for none
 * @param extra more members as JSON text that begins with a comma
 */
public record PublicationBody(
    long jobId, long epoch, String status, String createdAt, String graph, String extra) {
  public static PublicationBody of(long jobId) {
    return of(JobInfo.of(jobId));
  }

  /** With the graph of this job. */
  public static PublicationBody of(JobInfo job) {
    String info = job.json();
    String dag = info.substring(info.indexOf("\"jobDag\":") + 9, info.indexOf(",\"pluginJarsUrls"));
    return new PublicationBody(job.jobId(), 1, "RUNNING", "2026-11-30T09:41:54Z", dag, "");
  }

  public PublicationBody epoch(long other) {
    return new PublicationBody(jobId, other, status, createdAt, graph, extra);
  }

  public PublicationBody status(String other) {
    return new PublicationBody(jobId, epoch, other, createdAt, graph, extra);
  }

  public PublicationBody graph(String json) {
    return new PublicationBody(jobId, epoch, status, createdAt, json, extra);
  }

  public PublicationBody withoutGraph() {
    return graph("");
  }

  public PublicationBody extra(String members) {
    return new PublicationBody(jobId, epoch, status, createdAt, graph, members);
  }

  public String json() {
    String member = graph.isEmpty() ? "" : ",\"graph\":" + graph;
    return String.format(
        Locale.ROOT,
        "{\"epoch\":%d,\"status\":\"%s\",\"createdAt\":\"%s\"%s%s}",
        epoch,
        status,
        createdAt,
        member,
        extra);
  }

  /** A whole HTTP/1.1 request, its length declared. */
  public String request() {
    return request(jobId, json(), "");
  }

  /**
   * A whole HTTP/1.1 request.
   *
   * @param headers more header lines, each with its line end
   */
  public static String request(long jobId, String body, String headers) {
    return head(jobId, headers + "Content-Length: " + body.length() + "\r\n") + body;
  }

  /** The head of a request, with these header lines besides. */
  public static String head(long jobId, String headers) {
    return "PUT /jobs/"
        + jobId
        + "/graph HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        + headers
        + "\r\n";
  }
}
