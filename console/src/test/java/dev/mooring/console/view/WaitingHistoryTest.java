package dev.mooring.console.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.testkit.SimTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class WaitingHistoryTest {
  private final SimTime time = new SimTime();
  private final WaitingHistory history = new WaitingHistory(time);

  @Test
  void read_minuteWithoutChange_repeatsNumber() {
    assertThat(history.read()).isEmpty();
    history.record(3);
    history.record(5);
    time.advance(Duration.ofMinutes(2));
    history.record(1);
    assertThat(history.read()).containsExactly(5, 5, 1);
  }

  @Test
  void read_afterTwoHours_hasLastHour() {
    for (int i = 0; i < 120; i++) {
      history.record(i);
      time.advance(Duration.ofMinutes(1));
    }
    assertThat(history.read()).hasSize(60).startsWith(61, 62).endsWith(118, 119, 119);
    time.advance(Duration.ofHours(3));
    assertThat(history.read()).hasSize(60).containsOnly(119);
  }
}
