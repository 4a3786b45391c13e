package io.headgate.picture;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.graph.NodeKind;
import io.headgate.graph.ReportedGraph;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Whatever names are, a picture is well-formed, and they are text in it. */
class HostilePictureTest {
  private static final String MARKUP = "<>&\"']]><!--<![CDATA[<?x ?>&#x202e;<svg onload=1/>";

  @Provide
  Arbitrary<String> names() {
    return Arbitraries.strings()
        .withChars(MARKUP)
        .withCharRange('\u0000', '\u009f')
        .withCharRange('\u2000', '\u206f')
        .withCharRange('\ud7f0', '\ue010')
        .withChars('\ufffe', '\uffff', '\ufdfd', '\u0301', '\u4e00')
        .ofMaxLength(200);
  }

  @Property(tries = 300)
  void a_label_is_short_and_fit_for_xml(@ForAll("names") String name) {
    String label = Labels.of(name);
    assertThat(label.codePointCount(0, label.length())).isLessThanOrEqualTo(Labels.LENGTH);
    assertThat(label.codePoints())
        .allMatch(c -> c >= 0x20 && c != 0xFFFE && c != 0xFFFF && !(c >= 0xD800 && c < 0xE000))
        .noneMatch(c -> c == 0x61C || c == 0x200E || c == 0x200F)
        .noneMatch(c -> c >= 0x202A && c <= 0x202E || c >= 0x2066 && c <= 0x2069);
  }

  @Property(tries = 150)
  void a_picture_of_hostile_names_is_well_formed_and_shows_them_as_text(
      @ForAll("names") String first, @ForAll("names") String second) {
    String name = wellFormed(first);
    String path = wellFormed(second);
    Drawn drawn =
        Drawn.of(
            ReportedGraph.empty()
                .with(new ReportedGraph.Node(1, NodeKind.SOURCE, name, List.of(path)))
                .with(new ReportedGraph.Node(2, NodeKind.SINK, path, List.of(name)))
                .withEdge(1, 1, 2));
    assertThat(drawn.boxes()).containsExactly("1", "2");
    if (!name.isEmpty()) {
      assertThat(drawn.written()).contains(Labels.of(name));
    }
    assertThat(drawn.document.getElementsByTagName("*").getLength())
        .as("no element but ours")
        .isLessThan(40);
  }

  /** Graphs with halves of pairs are refused before anything is drawn (L10). */
  private static String wellFormed(String text) {
    StringBuilder whole = new StringBuilder();
    text.codePoints().filter(c -> c < 0xD800 || c >= 0xE000).forEach(whole::appendCodePoint);
    return whole.toString();
  }
}
