package io.headgate.observe.access;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Lines in a file that is put aside when it is long enough: {@code access.log} becomes {@code
 * access.log.1}, that becomes {@code access.log.2}, and the oldest goes. So the disk that this
 * takes is bounded. What was there at the start is continued.
 */
final class RotatingFile implements LineOutput {
  private final Path file;
  private final long most;
  private final int files;
  private @Nullable FileChannel open;
  private long length;

  /**
   * @param most how many bytes a file may have; a single write may pass it
   * @param files how many files are kept
   */
  RotatingFile(Path file, long most, int files) {
    this.file = file;
    this.most = most;
    this.files = files;
  }

  @Override
  public void write(StringBuilder lines) throws IOException {
    byte[] bytes = lines.toString().getBytes(StandardCharsets.US_ASCII);
    try {
      FileChannel channel = channel(bytes.length);
      ByteBuffer rest = ByteBuffer.wrap(bytes);
      while (rest.hasRemaining()) {
        length += channel.write(rest);
      }
    } catch (IOException e) {
      close(); // perhaps the folder comes back
      throw e;
    }
  }

  private FileChannel channel(int wanted) throws IOException {
    FileChannel channel = open;
    if (channel != null && length > 0 && length + wanted > most) {
      close();
      channel = null;
      putAside();
    }
    if (channel == null) {
      channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
      open = channel;
      length = channel.size();
    }
    return channel;
  }

  private void putAside() throws IOException {
    for (int number = files - 1; number > 0; number--) {
      Path younger = number == 1 ? file : numbered(number - 1);
      if (Files.exists(younger)) {
        Files.move(younger, numbered(number), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    if (files == 1) {
      Files.deleteIfExists(file);
    }
  }

  private Path numbered(int number) {
    return file.resolveSibling(file.getFileName() + "." + number);
  }

  @Override
  public void close() {
    FileChannel channel = open;
    open = null;
    if (channel != null) {
      try {
        channel.close();
      } catch (IOException e) {
        // Everything was written, or its loss was counted.
      }
    }
  }
}
