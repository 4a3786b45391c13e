package io.headgate.kit;

import io.headgate.directory.DirectoryConfig;
import io.headgate.directory.DirectoryJobSource;
import io.headgate.edge.Publishing;
import io.headgate.upstream.zeta.PublicationParser;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The HTTP half of a gateway that takes publications, in front of a directory in this process. */
public final class PublishingGateway extends HttpHalf {
  private final MemoryDirectory directory = new MemoryDirectory();

  /**
   * @param settings configuration keys and values
   */
  public PublishingGateway(String... settings) {
    super(withDirectory(settings));
    DirectoryConfig bounds = Objects.requireNonNull(config.sources().directory());
    start(
        new DirectoryJobSource(
            directory, config.limits(), InstantSource.system(), admission.workers()),
        new Publishing(
            directory,
            new PublicationParser(config.limits()),
            bounds.bodyBytes(),
            admission.workers()),
        null);
  }

  private static String[] withDirectory(String... settings) {
    List<String> all = new ArrayList<>(List.of(settings));
    all.addAll(List.of("hazelcast.enabled", "true", "source.directory.enabled", "true"));
    return all.toArray(String[]::new);
  }

  public MemoryDirectory directory() {
    return directory;
  }

  public HttpResponse<String> put(long jobId, String body, String... headers) {
    HttpRequest.BodyPublisher publisher = HttpRequest.BodyPublishers.ofString(body);
    return send(request("/jobs/" + jobId + "/graph", headers).PUT(publisher));
  }

  public HttpResponse<String> delete(long jobId, String... headers) {
    return send(request("/jobs/" + jobId + "/graph", headers).DELETE());
  }

  /** How many publications were answered so. */
  public double answers(int status, String reason) {
    return metric(
        "headgate_publication_outcomes_total{reason=\"%s\",status=\"%d\"}"
            .formatted(reason, status));
  }

  public double publicationsUnderWay() {
    return metric("headgate_permits_used{pool=\"publications\"}");
  }
}
