package dev.mooring.manager.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NewFileTest {
  @TempDir private Path folder;

  @Test
  void create_diskFull_leavesNoFile() {
    Path file = folder.resolve("snapshot.json");
    assertThatThrownBy(() ->
            NewFile.create(
                file,
                out -> {
                  out.write('{');
                  throw new IOException("No space left on device");
                }))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            file
                + " cannot be written (No space left on device): specify a file in a writable directory");
    assertThat(file).doesNotExist();
  }

  @Test
  void create_existingFile_isKept() throws IOException {
    Path file = Files.writeString(folder.resolve("snapshot.json"), "kept");
    assertThatThrownBy(() -> NewFile.create(file, out -> out.write('{')))
        .isInstanceOf(UsageException.class)
        .hasMessage(file + " exists: specify a new file, or delete it");
    assertThat(file).hasContent("kept");
  }
}
