package dev.mooring.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TextTableTest {
  private static String text(TextTable table) {
    return table.toString().replace(System.lineSeparator(), "\n");
  }

  @Test
  void columns_unlimitedWidth_areAsWideAsLongestCell() {
    assertThat(
            text(
                new TextTable(TextTable.UNLIMITED, "NAME", "CAN")
                    .row("a-very-long-name-that-passes-any-fixed-width", "provision")
                    .row("b", "")))
        .isEqualTo(
            """
            NAME                                          CAN
            a-very-long-name-that-passes-any-fixed-width  provision
            b
            """);
  }

  @Test
  void numbers_alignedRight_endTogether() {
    assertThat(
            text(
                new TextTable(TextTable.UNLIMITED, "N", "WHAT")
                    .alignRight(0)
                    .row("7", "a")
                    .row("100", "b")))
        .isEqualTo("  N  WHAT\n  7  a\n100  b\n");
  }

  @Test
  void widestColumn_limitedWidth_isWrappedAtSpaces() {
    assertThat(text(new TextTable(24, "A", "B").row("short", "one two three four five")))
        .isEqualTo(
            """
            A      B
            short  one two three
                   four five
            """);
  }

  @Test
  void longWord_limitedWidth_isBrokenAfterSeparator() {
    assertThat(text(new TextTable(14, "A").row("kubernetes.io/host-path")))
        .isEqualTo("A\nkubernetes.io/\nhost-path\n");
  }

  @Test
  void manyWideColumns_narrowWidth_stayReadable() {
    String text = text(new TextTable(10, "A", "B").row("x".repeat(30), "y".repeat(30)));
    assertThat(text.lines()).allMatch(line -> line.length() <= 26);
    assertThat(text.replaceAll("[^x]", "")).hasSize(30);
    assertThat(text.replaceAll("[^y]", "")).hasSize(30);
  }

  @Test
  void controlCharacters_inCells_areReplaced() {
    assertThat(text(new TextTable(80, "A").row("a\u001b[31mb\nc")))
        .doesNotContain("\u001b")
        .hasLineCount(2);
  }

  @Test
  void row_otherNumberOfCells_isRejected() {
    assertThatThrownBy(() -> new TextTable(80, "A", "B").row("x"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
