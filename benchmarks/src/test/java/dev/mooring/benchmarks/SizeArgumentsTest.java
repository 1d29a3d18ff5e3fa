package dev.mooring.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SizeArgumentsTest {
  @Test
  void of_sizesAfterOption_areParsed() {
    assertThat(SizeArguments.of("--attach", List.of("--attach", "1000", "10000")))
        .containsExactly(1000, 10000);
    assertThat(SizeArguments.of("--attach", List.of("--attach"))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1000,10000", "many", "0", "-5", "99999999999", ""})
  void of_invalidSize_throwsWithOptionAndText(String text) {
    assertThatThrownBy(() -> SizeArguments.of("--attach", List.of("--attach", text)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "--attach takes positive numbers separated by blanks, for example '1000 10000', was '"
                + text
                + "'");
  }
}
