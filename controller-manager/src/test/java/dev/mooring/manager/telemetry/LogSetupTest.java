package dev.mooring.manager.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

@Isolated("replaces the standard streams")
class LogSetupTest {
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void log_hiddenCharacters_areFiltered(boolean json) {
    PrintStream err = System.err;
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
    try {
      LogSetup.configure(json, false, false);
      LoggerFactory.getLogger("dev.mooring.Test")
          .warn(
              "claim \u4e2d is \u009b2J\u202e\udb40\udc41 gone",
              new IllegalStateException("b\u009bc"));
    } finally {
      System.setErr(err);
      LogSetup.configure(false, false, false);
    }
    String line = written.toString(StandardCharsets.UTF_8);
    assertThat(line)
        .contains("claim \u4e2d is \ufffd2J\ufffd\ufffd gone", "b\ufffdc")
        .doesNotContain("\u009b", "\u202e", "\udb40\udc41");
  }
}
