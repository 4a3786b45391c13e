package io.headgate.timeline.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headgate.timeline.JobLife;
import io.headgate.timeline.Observation;
import io.headgate.timeline.Receipt;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Bodies of event reports: recorded ones, and what becomes of them. */
final class Batches {
  static final String OLD_ENGINE = "2.3.8";
  static final String NEW_ENGINE = "2.3.9-SNAPSHOT-20241023-v2";

  static final ObjectMapper TREES = new ObjectMapper();

  private Batches() {}

  static byte[] recorded(String engine, String name) {
    String resource = "/zeta-recordings/" + engine + "/" + name + ".json";
    try (InputStream in = Batches.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalArgumentException("no recording " + resource);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static JsonNode tree(byte[] body) {
    try {
      return TREES.readTree(body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static EngineReport report(byte[] body) {
    EngineReport report = EngineReport.parse(body.clone(), false);
    assertThat(report).as("a JSON array").isNotNull();
    if (report == null) {
      throw new AssertionError("no JSON array");
    }
    return report;
  }

  static EngineReport report(String body) {
    return report(body.getBytes(StandardCharsets.UTF_8));
  }

  /** Gives the schema events of {@code life}'s job to it. */
  static Receipt into(JobLife life, byte[] body) {
    List<Observation> observations = report(body).jobs().get(JobLife.JOB);
    return observations == null ? Receipt.NOTHING : life.observe(observations);
  }
}
