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
