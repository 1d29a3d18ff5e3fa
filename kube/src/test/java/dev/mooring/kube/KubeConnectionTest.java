package dev.mooring.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class KubeConnectionTest {
  private static final String SEPARATOR = File.pathSeparator;

  @Test
  void parsePaths_emptyParts_areSkipped() {
    assertThat(KubeConnection.parsePaths(SEPARATOR + "a" + SEPARATOR + SEPARATOR + "b"))
        .containsExactly(Path.of("a"), Path.of("b"));
    assertThat(KubeConnection.parsePaths(SEPARATOR)).isEmpty();
    assertThat(KubeConnection.parsePaths("")).isEmpty();
  }
}
