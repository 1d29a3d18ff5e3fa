package dev.mooring.manager.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.manager.Main;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("replaces the standard streams")
class PluginsCommandTest {
  @TempDir Path directory;

  @Test
  void plugins_missingDirectory_printsErrorOnly() {
    PrintStream out = System.out;
    PrintStream err = System.err;
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    System.setOut(new PrintStream(output, true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(errors, true, StandardCharsets.UTF_8));
    int status;
    try {
      status = Main.execute("plugins", "--plugins=" + directory.resolve("none"));
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
    assertThat(status).isEqualTo(1);
    assertThat(output.toString(StandardCharsets.UTF_8)).isEmpty();
    assertThat(errors.toString(StandardCharsets.UTF_8)).contains("none");
  }
}
