package io.headgate.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.wire.JsonText;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Text cut to a number of bytes in UTF-8 (T10). */
class CutTextTest {
  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.of("a", "\u00e4", "\u20ac", "\uD83D\uDE00", "\uD83D", "\uDE00")
        .list()
        .ofMaxSize(20)
        .map(pieces -> String.join("", pieces));
  }

  @Property(tries = 2_000)
  void T10_the_longest_beginning_of_whole_characters_is_kept(
      @ForAll("texts") String text, @ForAll @IntRange(max = 40) int bytes) {
    String kept = Texts.beginning(text, bytes);
    String mended = JsonText.wellFormed(text);
    assertThat(mended).startsWith(kept);
    assertThat(JsonText.isWellFormed(kept)).isTrue();
    int length = kept.getBytes(StandardCharsets.UTF_8).length;
    assertThat(length).isLessThanOrEqualTo(bytes);
    if (kept.length() < mended.length()) {
      int next = Character.charCount(mended.codePointAt(kept.length()));
      String longer = mended.substring(0, kept.length() + next);
      assertThat(longer.getBytes(StandardCharsets.UTF_8).length).isGreaterThan(bytes);
    }
  }

  @Property(tries = 1_000)
  void T10_what_is_longer_than_its_bound_is_told_by_bytes_not_characters(
      @ForAll("texts") String text, @ForAll @IntRange(max = 40) int bytes) {
    assertThat(Texts.isLonger(text, bytes)).isEqualTo(JsonText.utf8Length(text) > bytes);
  }
}
