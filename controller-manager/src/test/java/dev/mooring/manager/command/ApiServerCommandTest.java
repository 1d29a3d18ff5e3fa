package dev.mooring.manager.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.manager.Main;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Isolated("replaces the standard error stream")
class ApiServerCommandTest {
  private final PrintStream originalErrors = System.err;
  private final ByteArrayOutputStream errors = new ByteArrayOutputStream();
  @TempDir private Path folder;

  @BeforeEach
  void replaceStream() {
    System.setErr(new PrintStream(errors, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void restoreStream() {
    System.setErr(originalErrors);
  }

  @Test
  void kubeconfig_ofOtherClusters_isKept() throws IOException {
    Path file = Files.writeString(folder.resolve("config"), "clusters: [{name: production}]\n");
    assertThat(Main.execute("apiserver", "--write-kubeconfig=" + file)).isEqualTo(1);
    assertThat(errors.toString(StandardCharsets.UTF_8))
        .contains(
            "--write-kubeconfig " + file + " exists, and 'mooring apiserver' did not write it");
    assertThat(file).hasContent("clusters: [{name: production}]\n");
  }

  @Test
  void auditLog_notWritable_isNamed() {
    Path file = folder.resolve("absent/audit.log");
    assertThat(Main.execute("apiserver", "--audit-log-path=" + file)).isEqualTo(1);
    assertThat(errors.toString(StandardCharsets.UTF_8))
        .contains(
            "mooring: audit log "
                + file
                + " cannot be written (NoSuchFileException): choose a file in a writable directory");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\"b", "a b", "a\\b", "\u00e9", "a\nb"})
  void token_thatNoHeaderAllows_isRejected(String token) {
    assertThat(Main.execute("apiserver", "--token=" + token)).isEqualTo(2);
    assertThat(errors.toString(StandardCharsets.UTF_8))
        .contains("--token is not a bearer token: specify letters, digits");
  }
}
