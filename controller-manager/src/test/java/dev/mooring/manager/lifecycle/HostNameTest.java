package dev.mooring.manager.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostNameTest {
  @Test
  void hostName_thatResolverLacks_isKernelName(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("hostname"), "mooring-7d9f-x2x4q\n");
    assertThat(HostName.read(file)).isEqualTo("mooring-7d9f-x2x4q");
  }

  @Test
  void hostName_withoutKernelName_isNotEmpty(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("hostname"), "\n");
    assertThat(HostName.read(file)).isNotEmpty().isEqualTo(HostName.read(folder.resolve("absent")));
  }
}
