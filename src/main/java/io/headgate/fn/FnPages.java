package io.headgate.fn;

import io.headgate.wire.CappedBuffer;
import io.headgate.wire.JsonText;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Writes the JSON answers of {@link FnDoor}, under the rules of the lineage answer: one order, no
 * white space, the fewest escapes, a cap. Foreign text is made well-formed first.
 */
final class FnPages {
  private static final int HINT = 1_024;

  private final CappedBuffer out;

  private FnPages(int cap) {
    out = new CappedBuffer(HINT, cap);
  }

  /** {@code {"descriptorIds":["…"],"next":"…"}}; {@code next} is null where nothing follows. */
  static CappedBuffer descriptors(List<String> ids, boolean more, int cap) {
    FnPages page = new FnPages(cap);
    page.put("{\"descriptorIds\":[");
    String separator = "";
    for (String id : ids) {
      page.put(separator);
      page.text(id);
      separator = ",";
    }
    page.put("],\"next\":");
    if (more && !ids.isEmpty()) {
      page.text(ids.get(ids.size() - 1));
    } else {
      page.put("null");
    }
    page.put("}");
    return page.out;
  }

  /** {@code {"descriptorId":"…","created":true}}. */
  static CappedBuffer registered(String id, boolean created, int cap) {
    FnPages page = new FnPages(cap);
    page.put("{\"descriptorId\":");
    page.text(id);
    page.put(",\"created\":" + created + "}");
    return page.out;
  }

  /** {@code {"descriptorId":"…","removed":true}}. */
  static CappedBuffer removed(String id, int cap) {
    FnPages page = new FnPages(cap);
    page.put("{\"descriptorId\":");
    page.text(id);
    page.put(",\"removed\":true}");
    return page.out;
  }

  /** {@code {"harnesses":[{"id":"…","control":true,…}]}}. */
  static CappedBuffer harnesses(List<HarnessStatus> harnesses, int cap) {
    FnPages page = new FnPages(cap);
    page.put("{\"harnesses\":[");
    String separator = "";
    for (HarnessStatus harness : harnesses) {
      page.put(separator + "{\"id\":");
      page.text(harness.id());
      page.put(",\"control\":" + harness.control());
      page.put(",\"data\":" + harness.data());
      page.put(",\"state\":" + harness.state());
      page.put(",\"logging\":" + harness.logging());
      page.put(",\"bundles\":" + harness.bundles());
      page.put(",\"outstanding\":" + harness.outstanding());
      page.put(",\"logBytes\":" + harness.logBytes() + "}");
      separator = ",";
    }
    page.put("]}");
    return page.out;
  }

  /** {@code {"harnessId":"…","entries":[{"severity":"INFO","at":"…","message":"…",…}]}}. */
  static CappedBuffer log(String harness, List<LogLine> lines, int cap) {
    FnPages page = new FnPages(cap);
    page.put("{\"harnessId\":");
    page.text(harness);
    page.put(",\"entries\":[");
    String separator = "";
    for (LogLine line : lines) {
      page.put(separator + "{\"severity\":\"" + line.severity() + "\",\"at\":\"" + line.at());
      page.put("\",\"message\":");
      page.text(line.message());
      page.unlessEmpty("trace", line.trace());
      page.unlessEmpty("instructionId", line.instruction());
      page.unlessEmpty("transformId", line.transform());
      page.unlessEmpty("location", line.location());
      page.unlessEmpty("thread", line.thread());
      page.put("}");
      separator = ",";
    }
    page.put("]}");
    return page.out;
  }

  /** {@code {"bundleId":"…","harnessId":"…",…,"inputs":[…],"outputs":[…]}}. */
  static CappedBuffer bundle(BundleStatus bundle, int cap) {
    FnPages page = new FnPages(cap);
    page.put("{\"bundleId\":");
    page.text(bundle.id());
    page.put(",\"harnessId\":");
    page.text(bundle.harness());
    page.put(",\"descriptorId\":");
    page.text(bundle.descriptor());
    page.put(",\"phase\":\"" + bundle.phase() + "\",\"failure\":");
    page.put(bundle.failure() == null ? "null" : "\"" + bundle.failure() + "\"");
    page.put(",\"inputs\":[");
    String separator = "";
    for (BundleStatus.Input input : bundle.inputs()) {
      page.port(separator, input.port(), input.bytes());
      page.put(",\"ended\":" + input.ended() + "}");
      separator = ",";
    }
    page.put("],\"outputs\":[");
    separator = "";
    for (BundleStatus.Output output : bundle.outputs()) {
      page.port(separator, output.port(), output.bytes());
      page.put(",\"opened\":" + output.opened() + ",\"ended\":" + output.ended() + "}");
      separator = ",";
    }
    page.put("]}");
    return page.out;
  }

  private void port(String separator, PortId port, long bytes) {
    put(separator + "{\"transformId\":");
    text(port.transform());
    put(",\"name\":");
    text(port.name());
    put(",\"bytes\":" + bytes);
  }

  /** {@code {"finishedWork":0.5,"backlog":2.0}}; null for what is no number. */
  static CappedBuffer progress(Answer.Progress progress, int cap) {
    FnPages page = new FnPages(cap);
    page.put("{\"finishedWork\":" + number(progress.finishedWork()));
    page.put(",\"backlog\":" + number(progress.backlog()) + "}");
    return page.out;
  }

  private static String number(double value) {
    return Double.isFinite(value) ? Double.toString(value) : "null";
  }

  private void unlessEmpty(String name, String text) {
    if (!text.isEmpty()) {
      put(",\"" + name + "\":");
      text(text);
    }
  }

  private void text(String foreign) {
    String text = JsonText.wellFormed(foreign);
    JsonText.writeQuoted(text, JsonText.isPlain(text), out);
  }

  private void put(String ascii) {
    out.put(ascii.getBytes(StandardCharsets.US_ASCII));
  }
}
