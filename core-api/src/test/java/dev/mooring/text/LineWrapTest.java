package dev.mooring.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LineWrapTest {
  @Test
  void wrap_longText_hasHangingIndent() {
    assertThat(LineWrap.wrap("Next  ", "one two  three four", 14))
        .containsExactly("Next  one two", "      three", "      four");
  }

  @Test
  void wrap_longWordWithSlash_isSplitAfterSlash() {
    assertThat(LineWrap.wrap("", "volumeattachment/csi-0123456789", 20))
        .containsExactly("volumeattachment/", "csi-0123456789");
  }

  @Test
  void wrap_longWordWithoutSlash_isSplitAfterLateSeparator() {
    assertThat(LineWrap.wrap("- ", "a.b0123-456789", 12)).containsExactly("- a.b0123-", "  456789");
  }

  @Test
  void wrap_longWordWithoutSeparator_isSplitAtWidth() {
    assertThat(LineWrap.wrap("", "x".repeat(25), 10))
        .containsExactly("x".repeat(10), "x".repeat(10), "xxxxx");
  }

  @Test
  void wrapWholeWords_longWord_isOneLine() {
    assertThat(LineWrap.wrapWholeWords("  ", "at /var/lib/kubelet now", 10))
        .containsExactly("  at", "  /var/lib/kubelet", "  now");
  }

  @Test
  void wrap_emptyText_isHeadingOnly() {
    assertThat(LineWrap.wrap("Note  ", "", 80)).containsExactly("Note");
  }
}
