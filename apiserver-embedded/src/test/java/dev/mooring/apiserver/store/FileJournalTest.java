package dev.mooring.apiserver.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.JsonBodies;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileJournalTest {
  private static final String LINE = "{\"r\":\"pods\",\"k\":\"a\",\"v\":5,\"o\":{\"x\":\"é\"}}";

  @TempDir private Path folder;

  private Path file() {
    return folder.resolve("objects.jsonl");
  }

  private static JsonObject tree(String value) {
    return JsonBodies.newObject("x", value);
  }

  // A file of a disk that is full after some bytes.
  private static final class SmallDisk implements SeekableByteChannel {
    private final SeekableByteChannel file;
    private int free = Integer.MAX_VALUE;

    SmallDisk(Path path) throws IOException {
      file = Files.newByteChannel(path, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
    }

    @Override
    public int write(ByteBuffer bytes) throws IOException {
      if (free == 0) {
        throw new IOException("No space left on device");
      }
      int length = Math.min(free, bytes.remaining());
      file.write(bytes.slice(bytes.position(), length));
      bytes.position(bytes.position() + length);
      free -= length;
      return length;
    }

    @Override
    public int read(ByteBuffer bytes) throws IOException {
      return file.read(bytes);
    }

    @Override
    public long position() throws IOException {
      return file.position();
    }

    @Override
    public SeekableByteChannel position(long position) throws IOException {
      file.position(position);
      return this;
    }

    @Override
    public long size() throws IOException {
      return file.size();
    }

    @Override
    public SeekableByteChannel truncate(long size) throws IOException {
      file.truncate(size);
      return this;
    }

    @Override
    public boolean isOpen() {
      return file.isOpen();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }

  @Test
  void record_afterWriteToFullDisk_keepsJournalReadable() throws IOException {
    SmallDisk[] disk = new SmallDisk[1];
    try (FileJournal journal = new FileJournal(folder, path -> disk[0] = new SmallDisk(path))) {
      journal.record("pods", "a", 1, tree("first"));
      disk[0].free = 10;
      assertThatThrownBy(() -> journal.record("pods", "b", 2, tree("refused")))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("No space left on device");
      disk[0].free = Integer.MAX_VALUE;
      journal.record("pods", "c", 3, tree("last"));
    }
    try (FileJournal journal = new FileJournal(folder)) {
      assertThat(journal.getLoadedContent().objects().get("pods")).containsOnlyKeys("a", "c");
    }
  }

  @Test
  void open_lastLineEndsWithinCharacter_dropsIt() throws IOException {
    byte[] line = LINE.getBytes(StandardCharsets.UTF_8);
    int end = LINE.indexOf('é') + 1; // the first of two bytes
    Files.write(file(), (LINE + "\n").getBytes(StandardCharsets.UTF_8));
    Files.write(file(), Arrays.copyOf(line, end), StandardOpenOption.APPEND);
    try (FileJournal journal = new FileJournal(folder)) {
      assertThat(journal.getLoadedContent().objects())
          .isEqualTo(Map.of("pods", Map.of("a", tree("é"))));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"r\":\"pods\",\"k\":\"a\",\"v\":\"five\"}",
        "{\"r\":\"pods\",\"k\":[],\"v\":5}",
        "{\"r\":\"pods\",\"k\":\"a\",\"v\":5,\"o\":true}"
      })
  void open_lineOfAnotherProgram_isNamed(String line) throws IOException {
    Files.writeString(file(), LINE + "\n" + line + "\n");
    assertThatThrownBy(() -> new FileJournal(folder))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file() + ", line 2: not readable; restore the file from a backup");
    assertThat(Files.readString(file())).isEqualTo(LINE + "\n" + line + "\n");
  }

  @Test
  void open_twiceInOneProcess_isRefused() throws IOException {
    FileJournal first = new FileJournal(folder);
    try {
      assertThatThrownBy(() -> new FileJournal(folder))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(folder + " is in use by another server");
    } finally {
      first.close();
    }
  }
}
