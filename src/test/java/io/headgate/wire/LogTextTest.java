package io.headgate.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Foreign text in log lines: one line, nothing that steers a terminal, nothing lost. */
class LogTextTest {
  @Test
  void plain_text_stays_as_it_is() {
    String text = "Grüße, 世界 😀 'quoted' \"twice\"";
    assertThat(LogText.escape(text)).isEqualTo(text);
  }

  @Test
  void what_could_end_the_line_or_steer_a_terminal_is_escaped() {
    assertThat(LogText.escape("a\r\nb\tc\u001B[31m\u0000\u007F\u0085"))
        .isEqualTo("a\\u000D\\nb\\tc\\u001B[31m\\u0000\\u007F\\u0085");
    assertThat(LogText.escape("\u2028\u2029\u202E\u2066\uFEFF"))
        .isEqualTo("\\u2028\\u2029\\u202E\\u2066\\uFEFF");
    assertThat(LogText.escape("lone \uD83D surrogate")).isEqualTo("lone \\uD83D surrogate");
  }

  @Test
  void a_backslash_is_doubled_so_that_escapes_can_be_told_from_text() {
    assertThat(LogText.escape("\\n")).isEqualTo("\\\\n");
  }
}
