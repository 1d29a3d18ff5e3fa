package dev.mooring.manager.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class YamlFileTest {
  @TempDir private Path directory;

  private String write(String text) throws IOException {
    return Files.writeString(directory.resolve("object.yaml"), text).toString();
  }

  @Test
  void readObject_keysAndTimesThatYamlReadsAsOtherTypes_areText() throws Exception {
    String file = write("metadata:\n  labels: {1: 2026-01-01, on: x}\nspec: {a: 1, a: 2}\n");
    assertThat(YamlFile.readObject("--flag", file))
        .isEqualTo(
            Map.of(
                "metadata",
                Map.of("labels", Map.of("1", "2026-01-01", "true", "x")),
                "spec",
                Map.of("a", 2)));
  }

  @Test
  void readObject_anchorContainsItself_isRefusedWithFlagAndFile() throws IOException {
    String file = write("&a {spec: *a}\n");
    assertThatThrownBy(() -> YamlFile.readObject("--flag", file))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "--flag %s is not valid YAML (an anchor's value contains itself): correct the file"
                .formatted(file));
  }
}
