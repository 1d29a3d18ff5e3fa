package dev.mooring.spi.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.MalformedInputException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class AtomicFilesTest {
  @TempDir private Path folder;

  @Test
  void read_afterTwoWrites_returnsLastText() throws IOException {
    Path file = folder.resolve("record");
    assertThat(AtomicFiles.read(file)).isEmpty();
    AtomicFiles.write(file, "one", folder);
    AtomicFiles.write(file, "zw\u00f6lf", folder);
    assertThat(AtomicFiles.read(file)).contains("zw\u00f6lf");
    assertThat(folder).isDirectoryNotContaining("glob:**.draft*");
  }

  @Test
  void readAndWrite_impossible_throw() throws IOException {
    Path file = Files.write(folder.resolve("record"), new byte[] {(byte) 0xff});
    assertThatThrownBy(() -> AtomicFiles.read(file)).isInstanceOf(MalformedInputException.class);
    Path missing = folder.resolve("missing");
    assertThatThrownBy(() -> AtomicFiles.write(missing.resolve("record"), "x", folder))
        .isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> AtomicFiles.write(file, "x", missing))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void write_fails_leavesNoDraft() throws IOException {
    Path drafts = Files.createDirectory(folder.resolve("drafts"));
    Path missing = folder.resolve("missing");
    assertThatThrownBy(() -> AtomicFiles.write(missing.resolve("record"), "x", drafts))
        .isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> AtomicFiles.write(folder.resolve("record"), "\uD800", drafts))
        .isInstanceOf(CharacterCodingException.class);
    assertThat(drafts).isEmptyDirectory();
  }

  /** The contents are longer than one write of the system. */
  @Test
  void read_concurrentWrites_returnsWholeText() throws Exception {
    Path file = folder.resolve("record");
    String few = "a".repeat(100);
    String many = "b".repeat(300_000);
    AtomicFiles.write(file, few, folder);
    try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
      Future<?> writing =
          threads.submit(() -> {
            for (int i = 0; i < 200; i++) {
              AtomicFiles.write(file, i % 2 == 0 ? many : few, folder);
            }
            return null;
          });
      while (!writing.isDone()) {
        assertThat(AtomicFiles.read(file).orElseThrow().length()).isIn(few.length(), many.length());
      }
      writing.get();
    }
  }

  @Test
  @Timeout(60)
  void read_linkPipeOrLongFile_throws() throws Exception {
    Path secret = Files.writeString(folder.resolve("secret"), "text");
    Path link = Files.createSymbolicLink(folder.resolve("link"), secret);
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Path longFile = Files.write(folder.resolve("long"), new byte[(1 << 20) + 1]);
    for (Path file : List.of(link, pipe, longFile)) {
      assertThatThrownBy(() -> AtomicFiles.read(file)).isInstanceOf(FileSystemException.class);
    }
  }
}
