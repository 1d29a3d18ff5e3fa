package dev.mooring.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlainTextTest {
  @ParameterizedTest
  @ValueSource(
      ints = {
        0, 0x07, 0x0d, 0x1b, 0x7f, 0x80, 0x85, 0x9b, 0x9f, 0xad, 0x034f, 0x061c, 0x115f, 0x180e,
        0x200b, 0x200d, 0x200f, 0x2028, 0x2029, 0x202a, 0x202e, 0x2060, 0x2066, 0x2069, 0x3164,
        0xd800, 0xdfff, 0xfe0f, 0xfeff, 0xffa0, 0xfff9, 0xe0000, 0xe0001, 0xe0041, 0xe007f, 0xe0100
      })
  void of_invisibleCharacter_isReplaced(int hidden) {
    String text = "a" + Character.toString(hidden) + "b";
    assertThat(PlainText.filter(text)).isEqualTo("a\ufffdb");
    assertThat(PlainText.filterLine(text)).isEqualTo("a\ufffdb");
  }

  @ParameterizedTest
  @CsvSource({"plain", "\u00fcber", "\u4e2d\u6587", "\ud83d\udca5", "a\u0301", "''", "x y"})
  void of_visibleText_isUnchanged(String text) {
    assertThat(PlainText.filter(text)).isEqualTo(text);
    assertThat(PlainText.filterLine(text)).isEqualTo(text);
  }

  @Test
  void lineEndsAndTabs_ofKeeps_lineReplaces() {
    assertThat(PlainText.filter("a\n\tb")).isEqualTo("a\n\tb");
    assertThat(PlainText.filterLine("a\n\tb\u00fc\n")).isEqualTo("a  b\u00fc ");
  }

  @Test
  void tree_invisibleCharacters_areReplacedInKeysAndValues() {
    assertThat(
            PlainText.filterTree(
                Map.of(
                    "k\u202e",
                    List.of(Map.of("x", "y\u009b"), "z\ud800", 1L, true, Arrays.asList("q")))))
        .isEqualTo(
            Map.of("k\ufffd", List.of(Map.of("x", "y\ufffd"), "z\ufffd", 1L, true, List.of("q"))));
  }
}
