package dev.mooring.manager.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DemoScreenTest {
  private static final String LONG = "volume pvc-1 is provisioned at /tmp/x ".repeat(5).strip();

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  private String printed() {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void plainScreen_longLine_isOneLineWithoutColours() throws Exception {
    DemoScreen screen = DemoScreen.plain(out, Duration.ZERO);
    screen.title("Title");
    screen.printStep(LONG);
    assertThat(printed()).doesNotContain("\u001b").contains("== Title").contains("s  " + LONG);
  }

  @Test
  void terminal_longLine_isWrappedBelowItsText() throws Exception {
    DemoScreen.coloured(out).printStep(LONG);
    String text = printed().replaceAll("\u001b\\[[0-9;]*m", "");
    assertThat(text.lines()).hasSizeGreaterThan(2).allMatch(line -> line.length() <= 80);
    assertThat(text.lines().skip(1)).allMatch(line -> line.startsWith(" ".repeat(10)));
    assertThat(text.replaceAll("\\s+", " ")).contains(LONG);
  }

  @Test
  void terminal_controlCharactersInText_areFiltered() throws Exception {
    DemoScreen.coloured(out).printStep("name \u001b[2J with \u0007 controls");
    assertThat(printed()).doesNotContain("\u001b[2J", "\u0007");
  }

  @Test
  void terminal_failure_isRed() throws Exception {
    DemoScreen.coloured(out).printStep("FAILED: it waits");
    assertThat(printed()).contains("\u001b[1;31mFAILED: it waits\u001b[0m");
  }
}
