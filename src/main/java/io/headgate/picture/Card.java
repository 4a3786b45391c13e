package io.headgate.picture;

import io.headgate.graph.NodeKind;
import io.headgate.picture.Scene.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A box with text: one node, or a group of them. Its outline tells its kind: a source's left side
 * is notched, a sink's right side is round, a transform is a plain rectangle. Immutable.
 */
final class Card {
  /** The names of fonts that every system has; all of one width a character. */
  static final String FONT = "ui-monospace, Menlo, Consolas, monospace";

  private static final int LEAST_WIDTH = 132;
  private static final int PADDING = 14;
  private static final int SIDE = 26;
  private static final int TOP = 9;
  private static final int NOTCH = 13;
  private static final int ROUND = 22;
  private static final int SIGN = 17;

  private final Look look;
  private final List<Line> lines;
  private final boolean incomplete;
  private final String title;
  final int width;
  private final int textHeight;

  /** What a kind looks like; dark on light enough to be read, and different without colours. */
  private enum Look {
    SOURCE("#e3f1fb", "#0b5c94"),
    TRANSFORM("#f1f2f4", "#57606a"),
    SINK("#fbeae0", "#a04000");

    final String fill;
    final String stroke;

    Look(String fill, String stroke) {
      this.fill = fill;
      this.stroke = stroke;
    }
  }

  /** A line of text. */
  private record Line(String text, Style style) {
    double width() {
      return Labels.width(text) * style.size + (style == Style.NOTICE ? SIGN : 0);
    }
  }

  private enum Style {
    KIND(10, 15, "bold", null),
    NAME(13, 18, "bold", "#1f2328"),
    UNNAMED(13, 18, "normal", "#57606a"),
    DETAIL(11, 15, "normal", "#1f2328"),
    NOTICE(11, 18, "bold", Palette.WARNING);

    final int size;
    final int height;
    final String weight;
    final @Nullable String fill;

    Style(int size, int height, String weight, @Nullable String fill) {
      this.size = size;
      this.height = height;
      this.weight = weight;
      this.fill = fill;
    }
  }

  private Card(NodeKind kind, String title, List<Line> lines) {
    this.title = title;
    this.lines = List.copyOf(lines);
    look = Look.valueOf(kind.name());
    incomplete = lines.stream().anyMatch(line -> line.style == Style.NOTICE);
    double widest = lines.stream().mapToDouble(Line::width).max().orElse(0);
    width = Math.max(LEAST_WIDTH, left() + (int) Math.ceil(widest) + right());
    textHeight = 2 * TOP + lines.stream().mapToInt(line -> line.style.height).sum();
  }

  /** The card of one node. */
  static Card of(Stage stage) {
    List<Line> lines = new ArrayList<>();
    lines.add(new Line(stage.kind() + " " + stage.id(), Style.KIND));
    lines.add(
        stage.name().isEmpty()
            ? new Line("(no name)", Style.UNNAMED)
            : new Line(stage.name(), Style.NAME));
    stage.details().forEach(detail -> lines.add(new Line(detail, Style.DETAIL)));
    if (stage.further() > 0) {
      lines.add(new Line("+ " + stage.further(), Style.DETAIL));
    }
    String notice = stage.notice();
    if (notice != null) {
      lines.add(new Line(notice, Style.NOTICE));
    }
    String kind = stage.kind().name().toLowerCase(Locale.ROOT);
    String title = kind + " " + stage.id() + ": " + stage.name();
    return new Card(stage.kind(), notice == null ? title : title + " (" + notice + ")", lines);
  }

  /**
   * The card of a group.
   *
   * @param name how many of what
   * @param details what else is to say of it
   * @param notice what some of them miss, or nothing
   */
  static Card group(NodeKind kind, String name, List<String> details, String notice) {
    List<Line> lines = new ArrayList<>();
    lines.add(new Line(kind.name(), Style.KIND));
    lines.add(new Line(name, Style.NAME));
    details.forEach(detail -> lines.add(new Line(detail, Style.DETAIL)));
    if (!notice.isEmpty()) {
      lines.add(new Line(notice, Style.NOTICE));
    }
    return new Card(kind, name, lines);
  }

  private int left() {
    return look == Look.SOURCE ? SIDE : PADDING;
  }

  private int right() {
    return look == Look.SINK ? SIDE : PADDING;
  }

  /** How high it is if as many lines as {@code ends} begin or end at one of its sides. */
  int height(int ends) {
    return Math.max(textHeight, 8 * Math.min(ends, 200));
  }

  /**
   * Draws it. It is a viewport of its own, so that no text, whatever characters and fonts do to it,
   * gets out of its box.
   *
   * @param id what tells it from others in the document
   */
  void draw(Svg svg, String id, int x, int y, int height) {
    svg.open(
        "svg",
        "x",
        x,
        "y",
        y,
        "width",
        width,
        "height",
        height,
        "overflow",
        "hidden",
        "data-node",
        id);
    svg.text("title", title);
    if (incomplete) {
      outline(svg, height, "stroke-dasharray", "6 3", "stroke-width", 2);
    } else {
      outline(svg, height, "stroke-width", "1.5");
    }
    int base = (height - textHeight) / 2 + TOP;
    for (Line line : lines) {
      base += line.style.height;
      draw(svg, line, base - 4);
    }
    svg.close();
  }

  private void outline(Svg svg, int height, Object... stroke) {
    int right = width - 1;
    int bottom = height - 1;
    int half = height / 2;
    int round = Math.min(ROUND, half - 1);
    String path =
        switch (look) {
          case SOURCE -> "M1 1H" + right + "V" + bottom + "H1L" + NOTCH + " " + half + "Z";
          case TRANSFORM -> "M1 1H" + right + "V" + bottom + "H1Z";
          case SINK ->
              "M1 1H"
                  + (right - round)
                  + arc(round, 1, 1)
                  + "V"
                  + (bottom - round)
                  + arc(round, -1, 1)
                  + "H1Z";
        };
    svg.open("g", stroke);
    svg.leaf("path", "d", path, "fill", look.fill, "stroke", look.stroke);
    svg.close();
  }

  private static String arc(int round, int x, int y) {
    return "a" + round + " " + round + " 0 0 1 " + x * round + " " + y * round;
  }

  private void draw(Svg svg, Line line, int base) {
    int at = left();
    if (line.style == Style.NOTICE) {
      Palette.sign(svg, at, base);
      at += SIGN;
    }
    String fill = line.style.fill == null ? look.stroke : line.style.fill;
    Svg.Font font = new Svg.Font(FONT, line.style.size, line.style.weight);
    if (Labels.isEven(line.text)) {
      svg.line(line.text, at, base, font, fill);
      return;
    }
    // Whatever font has these characters, they get the room that was reckoned for them.
    long length = Math.max(1, Math.round(Labels.width(line.text) * line.style.size));
    svg.line(
        line.text, at, base, font, fill, "textLength", length, "lengthAdjust", "spacingAndGlyphs");
  }
}
