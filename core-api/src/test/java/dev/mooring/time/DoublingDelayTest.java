package dev.mooring.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DoublingDelayTest {
  @ParameterizedTest
  @CsvSource({"1, 200", "2, 400", "7, 12800", "8, 25600", "9, 30000", "2147483647, 30000"})
  void after_failures_doublesUpToTheCap(int failures, long millis) {
    DoublingDelay delay = new DoublingDelay(Duration.ofMillis(200), Duration.ofSeconds(30));
    assertThat(delay.delayAfter(failures)).isEqualTo(Duration.ofMillis(millis));
  }

  @Test
  void prolong_chance_addsAShare() {
    DoublingDelay delay = new DoublingDelay(Duration.ofSeconds(1), Duration.ofSeconds(9), 0.5);
    assertThat(delay.prolong(Duration.ofSeconds(4), 0)).isEqualTo(Duration.ofSeconds(4));
    assertThat(delay.prolong(Duration.ofSeconds(4), 1)).isEqualTo(Duration.ofSeconds(6));
  }

  @ParameterizedTest
  @CsvSource({"PT0S, PT1S", "PT2S, PT1S"})
  void limits_invalid_areRejected(Duration firstDelay, Duration cap) {
    assertThatThrownBy(() -> new DoublingDelay(firstDelay, cap))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0 < first <= cap");
  }
}
