package dev.mooring.manager.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class CircuitBreakerTest {
  private long now;
  private final CircuitBreaker breaker = new CircuitBreaker(() -> now);

  private void pass(Duration time) {
    now += time.toNanos();
  }

  private void fail(int things) {
    for (int i = 0; i < things; i++) {
      assertThat(breaker.admits()).isTrue();
      breaker.failed("volume " + i);
    }
  }

  @Test
  void opens_afterFailuresOfManyObjects() {
    fail(CircuitBreaker.THINGS - 1);
    assertThat(breaker.isOpen()).isFalse();
    fail(CircuitBreaker.THINGS);
    assertThat(breaker.isOpen()).isTrue();
    assertThat(breaker.admits()).isFalse();
  }

  @Test
  void staysClosed_ifOneObjectFailsRepeatedly() {
    for (int i = 0; i < 1000; i++) {
      breaker.failed("poison");
    }
    assertThat(breaker.admits()).isTrue();
  }

  @Test
  void success_resetsFailures() {
    fail(CircuitBreaker.THINGS - 1);
    breaker.succeeded();
    fail(CircuitBreaker.THINGS - 1);
    assertThat(breaker.isOpen()).isFalse();
  }

  @Test
  void afterPause_admitsOneTrialCall() {
    fail(CircuitBreaker.THINGS);
    pass(Duration.ofMillis(999));
    assertThat(breaker.admits()).isFalse();
    pass(Duration.ofMillis(1));
    assertThat(breaker.admits()).isTrue();
    assertThat(breaker.admits()).isFalse();
    breaker.succeeded();
    assertThat(breaker.admits()).isTrue();
  }

  @Test
  void failedTrials_doublePauseUpToOneMinute() {
    fail(CircuitBreaker.THINGS);
    Duration[] pauses = {
      Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(4), Duration.ofSeconds(8),
      Duration.ofSeconds(16), Duration.ofSeconds(32), Duration.ofSeconds(60), Duration.ofSeconds(60)
    };
    for (Duration pause : pauses) {
      pass(pause.minusNanos(1));
      assertThat(breaker.admits()).as("before " + pause).isFalse();
      pass(Duration.ofNanos(1));
      assertThat(breaker.admits()).as("after " + pause).isTrue();
      breaker.failed("volume");
    }
  }

  @Test
  void failuresOfRunningCalls_doNotExtendPause() {
    fail(CircuitBreaker.THINGS);
    for (int i = 0; i < 20; i++) {
      breaker.failed("under way " + i);
    }
    pass(Duration.ofSeconds(1));
    assertThat(breaker.admits()).isTrue();
  }

  @Test
  void unfinishedTrial_admitsAnotherAfterPause() {
    fail(CircuitBreaker.THINGS);
    pass(Duration.ofSeconds(1));
    assertThat(breaker.admits()).isTrue();
    pass(Duration.ofSeconds(1));
    assertThat(breaker.admits()).isTrue();
  }
}
