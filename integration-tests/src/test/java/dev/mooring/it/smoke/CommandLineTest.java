package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.manager.Main;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** What is said about wrong input: the thing, the value, the remedy, and an exit code. */
@Isolated("replaces the standard error stream")
class CommandLineTest {
  private record Answer(int code, String errors) {}

  private static Answer mooring(String... args) {
    PrintStream before = System.err;
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    System.setErr(new PrintStream(errors, true, StandardCharsets.UTF_8));
    try {
      return new Answer(Main.execute(args), errors.toString(StandardCharsets.UTF_8));
    } finally {
      System.setErr(before);
    }
  }

  @Test
  void aMistypedCommandNamesTheNearest() {
    Answer answer = mooring("rnu");
    assertThat(answer.code()).isEqualTo(2);
    assertThat(answer.errors()).contains("'rnu'").contains("Did you mean 'run'?");
  }

  @Test
  void aMistypedFlagNamesTheNearest() {
    Answer answer = mooring("run", "--embeded");
    assertThat(answer.code()).isEqualTo(2);
    assertThat(answer.errors()).contains("'--embeded'").contains("--embedded");
  }

  @Test
  void aMissingKubeconfigIsNamed() {
    Answer answer = mooring("run", "--kubeconfig", "/does/not/exist");
    assertThat(answer.code()).isEqualTo(1);
    assertThat(answer.errors()).contains("/does/not/exist").contains("--kubeconfig");
  }

  @Test
  void aBrokenKubeconfigIsNamed(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("config"), "apiVersion: v1\nclusters: [\n");
    Answer answer = mooring("run", "--kubeconfig", file.toString());
    assertThat(answer.code()).isEqualTo(1);
    assertThat(answer.errors()).contains(file.toString()).contains("not valid YAML");
  }

  @Test
  void aBrokenPluginJarIsNamed(@TempDir Path folder) throws IOException {
    Files.writeString(folder.resolve("x.jar"), "not a jar");
    Answer answer = mooring("plugins", "--plugins", folder.toString());
    assertThat(answer.code()).isEqualTo(1);
    assertThat(answer.errors()).contains("x.jar").contains("not a readable jar");
  }

  @Test
  void anAddressThatIsNoneIsNamed() {
    Answer answer = mooring("run", "--embedded", "--endpoints", "127.0.0.1:99999");
    assertThat(answer.code()).isEqualTo(1);
    assertThat(answer.errors()).contains("--endpoints 127.0.0.1:99999");
  }
}
