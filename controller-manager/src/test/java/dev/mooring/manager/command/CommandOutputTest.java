package dev.mooring.manager.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.manager.Main;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("replaces the standard streams")
class CommandOutputTest {
  private static final class FullDisk extends OutputStream {
    @Override
    public void write(int value) throws IOException {
      throw new IOException("No space left on device");
    }
  }

  private final PrintStream originalOut = System.out;
  private final PrintStream originalErrors = System.err;
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final ByteArrayOutputStream errors = new ByteArrayOutputStream();

  @BeforeEach
  void replaceStreams() {
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(errors, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void restoreStreams() {
    System.setOut(originalOut);
    System.setErr(originalErrors);
  }

  @Test
  void command_outputNotWritten_fails() {
    System.setOut(new PrintStream(new FullDisk(), true, StandardCharsets.UTF_8));
    assertThat(Main.execute("rights")).isEqualTo(1);
    assertThat(errors.toString(StandardCharsets.UTF_8))
        .contains("mooring: standard output is incomplete: its disk is full");
  }

  @Test
  void command_outputWritten_succeeds() {
    assertThat(Main.execute("rights")).isZero();
    assertThat(errors.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  @Test
  void stream_withColours_isStandardOutputWithoutFilter() {
    System.setOut(PlainOutput.over(System.out));
    CommandOutput.stream(true).print("\u001b[1mbold");
    assertThat(printed.toString(StandardCharsets.UTF_8)).isEqualTo("\u001b[1mbold");
  }

  @Test
  @Timeout(60)
  void explainWatch_outputNotWritten_ends(@TempDir Path folder) throws Exception {
    try (ApiServer server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS)) {
      server
          .handlers()
          .create(
              KindCatalogue.CLAIMS,
              "default",
              JsonParser.parseString(
                      "{'metadata': {'name': 'c'}, 'spec': {'accessModes': ['ReadWriteOnce'], 'resources': {'requests': {'storage': '1Gi'}}}}")
                  .getAsJsonObject(),
              WriteOptions.PLAIN);
      Path kubeconfig = Files.writeString(folder.resolve("config"), server.kubeconfig());
      System.setOut(new PrintStream(new FullDisk(), true, StandardCharsets.UTF_8));
      assertThat(Main.execute("explain", "-A", "--watch", "--kubeconfig=" + kubeconfig))
          .isEqualTo(3);
    }
  }
}
