package dev.mooring.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.testkit.SimTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BrakeTest {
  private final SimTime time = new SimTime();
  private final Brake brake = new Brake(3, Duration.ofMinutes(10), time);

  private void admits(int times) {
    for (int i = 0; i < times; i++) {
      assertThat(brake.admit()).isTrue();
    }
  }

  @Test
  void stopsAtTheLimitAndStaysStopped() {
    admits(3);
    assertThat(brake.admit()).isFalse();
    time.advance(Duration.ofHours(1));
    assertThat(brake.admit()).as("time alone does not release it").isFalse();
    assertThat(brake.isHolding()).isTrue();
    assertThat(brake.trips()).isOne();
  }

  @Test
  void anUsualPaceNeverStops() {
    for (int i = 0; i < 20; i++) {
      admits(3);
      time.advance(Duration.ofMinutes(10));
    }
  }

  @Test
  void theWindowSlides() {
    admits(2);
    time.advance(Duration.ofMinutes(9));
    admits(1);
    time.advance(Duration.ofMinutes(1));
    admits(2);
    assertThat(brake.admit()).isFalse();
  }

  @Test
  void resumingCountsFromNothing() {
    admits(3);
    brake.admit();
    brake.resume();
    admits(3);
    assertThat(brake.admit()).isFalse();
    assertThat(brake.trips()).isEqualTo(2);
  }

  @Test
  void zeroSwitchesItOff() {
    Brake off = new Brake(0, Duration.ofMinutes(10), time);
    for (int i = 0; i < 10_000; i++) {
      assertThat(off.admit()).isTrue();
    }
  }
}
