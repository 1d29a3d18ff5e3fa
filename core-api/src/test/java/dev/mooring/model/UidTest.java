package dev.mooring.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UidTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "11111111-2222-3333-4444-555555555555",
        "ABCDEF00-2222-3333-4444-555555555555",
        "not-a-uuid",
        "1-2-3-4-5",
        "00000000-0000-0000-0000-000000000000"
      })
  void of_anyText_keepsText(String text) {
    assertThat(Uid.of(text))
        .hasToString(text.startsWith("00000000-0000") ? "" : text)
        .isEqualTo(Uid.of(text));
  }
}
