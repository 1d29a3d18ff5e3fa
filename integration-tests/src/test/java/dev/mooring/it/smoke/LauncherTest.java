package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the launcher itself answers, before anything is built or run. */
@Timeout(300)
class LauncherTest {
  private record Answer(int code, String text) {}

  private static Answer asked(String... arguments) throws Exception {
    Path launcher =
        Path.of(System.getProperty("mooring.root", "..")).toAbsolutePath().resolve("mooring");
    ProcessBuilder process = new ProcessBuilder("bash", launcher.toString());
    process.command().addAll(List.of(arguments));
    process.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process running = process.redirectErrorStream(true).start();
    running.getOutputStream().close();
    String text = new String(running.getInputStream().readAllBytes());
    return new Answer(running.waitFor(), text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--bogus", "--aot-cache=", "--builder", "everything"})
  void distRefusesWhatItDoesNotKnowBeforeItBuilds(String option) throws Exception {
    assertThat(asked("dist", option))
        .isEqualTo(
            new Answer(
                2, "mooring: dist has no option '" + option + "': see './mooring dist --help'\n"));
  }

  @Test
  void helpOfWhatTheLauncherDoesItselfNeedsNoBuild() throws Exception {
    for (String command : new String[] {"dist", "test", "bench"}) {
      Answer help = asked(command, "--help");
      assertThat(help.code()).isZero();
      assertThat(help.text()).startsWith("Usage: mooring " + command);
    }
  }
}
