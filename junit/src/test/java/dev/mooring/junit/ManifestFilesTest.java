package dev.mooring.junit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.io.TempDir;

class ManifestFilesTest {
  @TempDir private Path folder;

  private final ManifestFiles files =
      new ManifestFiles(ManifestFilesTest.class.getClassLoader(), "default");

  @Test
  void read_fileOfOtherEncoding_isNamed() throws Exception {
    Path file = folder.resolve("a.yaml");
    Files.write(file, "kind: Pod\n".getBytes(StandardCharsets.UTF_16));
    assertThatThrownBy(() -> files.read(folder + "/*.yaml"))
        .isInstanceOf(ExtensionConfigurationException.class)
        .hasMessage(file + ": the file is not in UTF-8");
  }

  @Test
  void read_invalidPattern_isNamed() {
    assertThatThrownBy(() -> files.read(folder + "/[*.yaml"))
        .isInstanceOf(ExtensionConfigurationException.class)
        .hasMessageContaining(folder + "/[*.yaml: ");
  }

  @Test
  void parse_controlCharacter_isNamed() {
    assertThatThrownBy(() -> ManifestDocument.parse("a.yaml", "kind: \u0000\n"))
        .isInstanceOf(ExtensionConfigurationException.class)
        .hasMessageStartingWith("a.yaml:1: special characters are not allowed");
  }
}
