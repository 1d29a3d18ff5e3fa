package dev.mooring.manager.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KnownDifferencesTest {
  @ParameterizedTest
  @EnumSource
  void difference_row_isInTheDocument(KnownDifferences difference) throws IOException {
    Path root = Path.of(System.getProperty("mooring.root", ".."));

    assertThat(Files.readString(root.resolve("docs/differences.md")))
        .containsOnlyOnce("<a id=\"" + difference.row() + "\"></a>");
  }
}
