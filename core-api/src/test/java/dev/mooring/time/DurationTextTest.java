package dev.mooring.time;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class DurationTextTest {
  @Test
  void parse_longText_isRefusedWithoutQuotation() {
    assertThatThrownBy(() -> DurationText.parse("9".repeat(10_000)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "a text of 10000 characters is not a duration (for example 15s, 1m30s or 200ms)");
  }
}
