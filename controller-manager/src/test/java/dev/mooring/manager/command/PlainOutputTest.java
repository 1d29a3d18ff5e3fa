package dev.mooring.manager.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.manager.Main;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Isolated("replaces the standard streams")
class PlainOutputTest {
  private static String printed(byte[] bytes) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (PrintStream plain = PlainOutput.over(new PrintStream(out, true, StandardCharsets.UTF_8))) {
      for (byte one : bytes) {
        plain.write(one);
      }
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource({
    "plain, plain",
    "a\u001b[2J, a\ufffd[2J",
    "a\u009bb, a\ufffdb",
    "a\u202eb\u200b, a\ufffdb\ufffd",
    "x\udb40\udc41y, x\ufffdy",
    "\u00fc\u4e2d\ud83d\udca5, \u00fc\u4e2d\ud83d\udca5"
  })
  void output_withHiddenCharacters_isFiltered(String text, String expected) throws Exception {
    assertThat(printed(text.getBytes(StandardCharsets.UTF_8))).isEqualTo(expected);
  }

  @Test
  void print_lineEndsAndTabs_areUnchanged() throws Exception {
    assertThat(printed("a\n\tb\n".getBytes(StandardCharsets.UTF_8))).isEqualTo("a\n\tb\n");
  }

  @Test
  void print_invalidUtf8_isUnchanged() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] bytes = {'a', (byte) 0xfc, 'b', (byte) 0xe4, (byte) 0xb8};
    try (PrintStream plain =
        PlainOutput.over(new PrintStream(out, true, StandardCharsets.ISO_8859_1))) {
      plain.write(bytes, 0, bytes.length);
    }
    assertThat(out.toByteArray()).isEqualTo(bytes);
  }

  @Test
  void commands_controlCharacters_areFiltered() {
    PrintStream err = System.err;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      Main.execute("timeline", "pvc/x", "--audit-log=no\u009b\u202esuch");
      Main.execute("no\u009bsuch");
    } finally {
      System.setErr(err);
    }
    assertThat(printed.toString(StandardCharsets.UTF_8))
        .contains("no\ufffd\ufffdsuch", "no\ufffdsuch")
        .doesNotContain("\u009b", "\u202e");
  }
}
