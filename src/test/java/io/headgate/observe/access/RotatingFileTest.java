package io.headgate.observe.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of lines: continued at a start, put aside when long, a bounded number of them. */
class RotatingFileTest {
  @TempDir private Path folder;

  private static void write(LineOutput file, String... lines) throws IOException {
    for (String line : lines) {
      file.write(new StringBuilder(line).append('\n'));
    }
  }

  @Test
  void a_file_that_is_long_enough_is_put_aside_and_the_oldest_goes() throws Exception {
    Path path = folder.resolve("access.log");
    try (RotatingFile file = new RotatingFile(path, 8, 3)) {
      write(file, "1aa", "1bb", "2aa", "2bb", "3aa", "3bb", "4aa");
    }
    assertThat(path).hasContent("4aa");
    assertThat(folder.resolve("access.log.1")).hasContent("3aa\n3bb");
    assertThat(folder.resolve("access.log.2")).hasContent("2aa\n2bb");
    assertThat(folder.resolve("access.log.3")).doesNotExist();
  }

  @Test
  void with_one_file_it_begins_anew() throws Exception {
    Path path = folder.resolve("access.log");
    try (RotatingFile file = new RotatingFile(path, 4, 1)) {
      write(file, "1aa", "2aa");
    }
    assertThat(path).hasContent("2aa");
    try (var all = Files.list(folder)) {
      assertThat(all).hasSize(1);
    }
  }

  @Test
  void what_was_there_at_the_start_is_continued() throws Exception {
    Path path = Files.writeString(folder.resolve("access.log"), "before\n");
    try (RotatingFile file = new RotatingFile(path, 100, 2)) {
      write(file, "after");
    }
    assertThat(path).hasContent("before\nafter");
  }

  @Test
  void a_folder_that_goes_away_and_comes_back_is_written_to_again() throws Exception {
    Path gone = folder.resolve("logs");
    try (RotatingFile file = new RotatingFile(gone.resolve("access.log"), 100, 2)) {
      assertThatThrownBy(() -> write(file, "lost")).isInstanceOf(IOException.class);
      Files.createDirectory(gone);
      write(file, "kept");
    }
    assertThat(gone.resolve("access.log")).hasContent("kept");
  }
}
