package dev.mooring.manager.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Compares the fast path and the general path with Go's results. */
class FlagTypesTest {
  @ParameterizedTest
  @CsvSource({
    "0, PT0S",
    "0s, PT0S",
    "15s, PT15S",
    "1m30s, PT1M30S",
    "200ms, PT0.2S",
    "7us3µs1ns, PT0.000010001S",
    "99999h, PT99999H",
    "123456h, PT123456H",
    "600000ms, PT10M",
    "1.5h, PT1H30M",
    "1h0.5m, PT1H30S",
    ".5s, PT0.5S",
    "0.5ns0.5ns, PT0.000000001S",
    "1h1h1h1h1h1h1h1h1h1h, PT10H",
    "876000h, PT876000H"
  })
  void convert_validText_returnsDuration(String text, Duration duration) {
    assertThat(FlagTypes.toDuration(text)).isEqualTo(duration);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "876000h1ns",
        "99999999h",
        "9223372036854775807ns1ns",
        "9999999999999999999999999h",
        "99999h99999h99999h99999h99999h99999h99999h99999h99999h"
      })
  void convert_beyondAHundredYears_isRefused(String text) {
    assertThatThrownBy(() -> FlagTypes.toDuration(text))
        .isInstanceOf(CommandLine.TypeConversionException.class)
        .hasMessage("'" + text + "' is too long (maximum: 876000h)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5", "s", "-1s", "1 s", "1s ", "1d", "1s5", "1.s.", "x1s"})
  void convert_invalidText_throws(String text) {
    assertThatThrownBy(() -> FlagTypes.toDuration(text))
        .isInstanceOf(CommandLine.TypeConversionException.class)
        .hasMessage("'" + text + "' is not a duration (for example 15s, 1m30s or 200ms)");
  }
}
