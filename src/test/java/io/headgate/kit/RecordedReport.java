package io.headgate.kit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A batch that a real engine has posted, with the request as it was: line, headers and bytes.
 *
 * @param request all of it, as it went over the wire
 * @param body its body
 */
public record RecordedReport(byte[] request, byte[] body) {
  public static final String OLD_ENGINE = "2.3.8";
  public static final String NEW_ENGINE = "2.3.9-SNAPSHOT-20241023-v2";

  /** The job of the recorded {@code ALTER TABLE}s, and how many events of them there are. */
  public static final long CDC_JOB = 1_179_723_906_420_834_305L;

  public static final int CDC_EVENTS = 6;

  /** The batches of {@link #CDC_JOB}, in the order in which they were posted. */
  public static List<RecordedReport> ofTheCdcJob() {
    return List.of(
        of(OLD_ENGINE, "50_cdc_event_batch_01"),
        of(OLD_ENGINE, "50_cdc_event_batch_02"),
        of(OLD_ENGINE, "50_cdc_event_batch_03"),
        of(OLD_ENGINE, "50_cdc_event_batch_04"),
        of(OLD_ENGINE, "50_cdc_event_batch_05"));
  }

  /** The recording with this name. */
  public static RecordedReport of(String engine, String name) {
    String resource = "/zeta-recordings/" + engine + "/" + name;
    byte[] body = read(resource + ".json");
    StringBuilder head = new StringBuilder();
    new String(read(resource + ".meta"), StandardCharsets.UTF_8)
        .lines()
        .filter(line -> line.startsWith("request"))
        .forEach(line -> head.append(line.replaceFirst("request(-header)?: ", "")).append("\r\n"));
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    request.writeBytes((head + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
    request.writeBytes(body);
    return new RecordedReport(request.toByteArray(), body);
  }

  private static byte[] read(String resource) {
    try (InputStream in = RecordedReport.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalArgumentException("no recording " + resource);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public String text() {
    return new String(body, StandardCharsets.UTF_8);
  }
}
