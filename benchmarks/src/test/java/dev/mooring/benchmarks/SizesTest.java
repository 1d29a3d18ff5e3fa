package dev.mooring.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said of sizes that are none. */
class SizesTest {
  @Test
  void theyStandBesideTheOption() {
    assertThat(Sizes.of("--attach", List.of("--attach", "1000", "10000")))
        .containsExactly(1000, 10000);
    assertThat(Sizes.of("--attach", List.of("--attach"))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1000,10000", "many", "0", "-5", "99999999999", ""})
  void whatIsNoneIsNamed(String text) {
    assertThatThrownBy(() -> Sizes.of("--attach", List.of("--attach", text)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "--attach takes sizes with blanks between them, such as '1000 10000', was '"
                + text
                + "'");
  }
}
