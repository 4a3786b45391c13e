package io.headgate.picture;

import io.headgate.graph.NodeKind;
import java.util.ArrayList;
import java.util.List;

/** What stands above a picture, and what is told to those who can't see it. Immutable. */
final class Heading {
  private static final int LINE = 19;
  private static final int TOP = 30;
  private static final String FONT = "system-ui, sans-serif";

  /** How wide a character of these lines is at most, in pixels. */
  private static final double CHARACTER = 7.5;

  private final String subject;
  private final String summary;
  private final List<String> remarks = new ArrayList<>();
  private final String notice;

  /**
   * @param remarks what else is to say, a line each
   */
  Heading(Scene scene, List<String> remarks) {
    subject = "Lineage of " + decapitalized(scene.subject());
    summary = summary(scene);
    notice = notice(scene);
    this.remarks.addAll(remarks);
  }

  private static String decapitalized(String text) {
    return Character.toLowerCase(text.charAt(0)) + text.substring(1);
  }

  private static String summary(Scene scene) {
    String text =
        counted(scene.count(NodeKind.SOURCE), "source")
            + ", "
            + counted(scene.count(NodeKind.TRANSFORM), "transform")
            + ", "
            + counted(scene.count(NodeKind.SINK), "sink")
            + ", "
            + counted(scene.flows().size(), "edge");
    int pipelines = scene.pipelines().length;
    return scene.ofJob() && pipelines > 0 ? text + " in " + counted(pipelines, "pipeline") : text;
  }

  private static String notice(Scene scene) {
    int notices = scene.notices();
    if (notices == 0) {
      return "";
    }
    return scene.ofJob()
        ? counted(notices, "node") + " with missing dataset metadata"
        : counted(notices, "node") + " with a side input from elsewhere";
  }

  /** A number and what it counts. */
  static String counted(int count, String what) {
    return count + " " + what + (count == 1 ? "" : "s");
  }

  String title() {
    return subject;
  }

  String description() {
    List<String> sentences = new ArrayList<>();
    sentences.add(summary + ".");
    if (!notice.isEmpty()) {
      sentences.add(notice + ".");
    }
    remarks.forEach(remark -> sentences.add(remark + "."));
    return String.join(" ", sentences);
  }

  int width() {
    int longest = Math.max(subject.length(), summary.length());
    for (String remark : remarks) {
      longest = Math.max(longest, remark.length());
    }
    return (int) (longest * CHARACTER);
  }

  int height() {
    return TOP + LINE * (1 + remarks.size() + (notice.isEmpty() ? 0 : 1)) + 14;
  }

  void draw(Svg svg, int x) {
    int y = TOP;
    svg.line(subject, x, y, new Svg.Font(FONT, 17, "bold"), Palette.TEXT);
    y += LINE;
    line(svg, x, y, summary, Palette.FAINT_TEXT);
    if (!notice.isEmpty()) {
      y += LINE;
      Palette.sign(svg, x, y);
      line(svg, x + 17, y, notice, Palette.WARNING);
    }
    for (String remark : remarks) {
      y += LINE;
      line(svg, x, y, remark, Palette.FAINT_TEXT);
    }
  }

  private static void line(Svg svg, int x, int y, String text, String fill) {
    svg.line(text, x, y, new Svg.Font(FONT, 13, null), fill);
  }

  /** A heading within the picture. */
  static void sub(Svg svg, int x, int y, String text) {
    svg.line(text, x, y, new Svg.Font(FONT, 13, "bold"), Palette.TEXT);
  }
}
