package dev.mooring.apiserver.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CanonicalValuesTest {
  @ParameterizedTest
  @CsvSource({
    "2026-02-28T23:59:59Z, 2026-02-28T23:59:59Z",
    "2024-02-29T00:00:00Z, 2024-02-29T00:00:00Z",
    "0001-01-01T00:00:00Z, 0001-01-01T00:00:00Z",
    "2026-01-02T03:04:05.123456789Z, 2026-01-02T03:04:05.123456789Z",
    "2026-01-02T03:04:05+02:00, 2026-01-02T01:04:05Z",
    "2026-01-02T00:04:05-00:30, 2026-01-02T00:34:05Z",
  })
  void parseTime_rfc3339_instant(String text, Instant time) {
    assertThat(CanonicalValues.parseTime(text)).isEqualTo(time);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "2026-02-29T00:00:00Z",
        "2026-13-01T00:00:00Z",
        "2026-00-01T00:00:00Z",
        "2026-01-32T00:00:00Z",
        "2026-01-01T24:00:00Z",
        "2026-01-01T00:60:00Z",
        "2026-01-01T00:00:60Z",
        "2026-01-01T00:00:00",
        "2026-01-01T00:00:00Z ",
        "2026-01-01 00:00:00Z",
        "2026-01-0aT00:00:00Z",
      })
  void parseTime_otherText_null(String text) {
    assertThat(CanonicalValues.parseTime(text)).isNull();
  }
}
