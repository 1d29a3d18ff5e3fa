package dev.mooring.manager.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.explain.CauseRank;
import org.junit.jupiter.api.Test;

class TerminalLinesTest {
  private static String format(String heading, String text) {
    TerminalLines lines = new TerminalLines();
    lines.put(heading, text);
    return lines.toString();
  }

  @Test
  void put_longText_hasHangingIndent() {
    assertThat(format("Next    ", "word ".repeat(30)).lines())
        .hasSize(3)
        .allMatch(line -> line.length() <= 80)
        .allMatch(line -> line.startsWith("Next    ") || line.startsWith("        word"));
  }

  @Test
  void put_longWord_isSplit() {
    assertThat(format("  ", "short " + "x".repeat(253)).lines())
        .allMatch(line -> line.length() <= 80)
        .anyMatch(line -> line.equals("  short"));
    assertThat(format("  ", "x".repeat(253)).replaceAll("[\n ]", "")).hasSize(253);
  }

  @Test
  void put_longWord_isSplitAfterSlash() {
    String name = "csi-" + "0".repeat(64);
    assertThat(format("", "volumeattachment/" + name)).isEqualTo("volumeattachment/\n" + name);
  }

  @Test
  void put_controlCharacters_areFiltered() {
    assertThat(format("", "a\u001b[2Jb\u202ec\u0007\r\nd"))
        .isEqualTo("a\ufffd[2Jb\ufffdc\ufffd\ufffd d");
  }

  @Test
  void colours_hostileText_areAddedAfterFilter() {
    TerminalLines lines = new TerminalLines(true);
    lines.putTitle("pvc/a\u001b[31m: NoVolume", CauseRank.MISCONFIGURED);
    lines.put("Cause   ", "it waits");
    assertThat(lines)
        .hasToString(
            "\u001b[1;31mpvc/a\ufffd[31m: NoVolume\u001b[0m\n\u001b[2mCause\u001b[0m   it waits");
  }

  @Test
  void putCommand_longCommand_staysOneLine() {
    TerminalLines lines = new TerminalLines();
    lines.putCommand("  ", "kubectl get pods " + "x".repeat(100));
    assertThat(lines.toString().lines()).hasSize(1);
  }

  @Test
  void put_emptyText_isOneLine() {
    assertThat(format("Note    ", "")).isEqualTo("Note");
  }
}
