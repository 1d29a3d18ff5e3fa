package dev.mooring.manager.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class CircuitBreakerTest {
  private long now;
  private final CircuitBreaker breaker = new CircuitBreaker(() -> now);

  private void advance(Duration time) {
    now += time.toNanos();
  }

  private void failCalls(int subjects) {
    for (int i = 0; i < subjects; i++) {
      assertThat(breaker.tryAdmit()).isTrue();
      breaker.recordFailure("volume " + i);
    }
  }

  @Test
  void isOpen_failuresOfTenObjects_isTrue() {
    failCalls(CircuitBreaker.FAILED_SUBJECTS - 1);
    assertThat(breaker.isOpen()).isFalse();
    failCalls(CircuitBreaker.FAILED_SUBJECTS);
    assertThat(breaker.isOpen()).isTrue();
    assertThat(breaker.tryAdmit()).isFalse();
  }

  @Test
  void tryAdmit_oneObjectFailsRepeatedly_admitsCalls() {
    for (int i = 0; i < 1000; i++) {
      breaker.recordFailure("poison");
    }
    assertThat(breaker.tryAdmit()).isTrue();
  }

  @Test
  void recordSuccess_afterNineFailures_resetsThem() {
    failCalls(CircuitBreaker.FAILED_SUBJECTS - 1);
    breaker.recordSuccess();
    failCalls(CircuitBreaker.FAILED_SUBJECTS - 1);
    assertThat(breaker.isOpen()).isFalse();
  }

  @Test
  void tryAdmit_afterPause_admitsOneTrialCall() {
    failCalls(CircuitBreaker.FAILED_SUBJECTS);
    advance(Duration.ofMillis(999));
    assertThat(breaker.tryAdmit()).isFalse();
    advance(Duration.ofMillis(1));
    assertThat(breaker.tryAdmit()).isTrue();
    assertThat(breaker.tryAdmit()).isFalse();
    breaker.recordSuccess();
    assertThat(breaker.tryAdmit()).isTrue();
  }

  @Test
  void recordFailure_failedTrials_doublesPauseUpToOneMinute() {
    failCalls(CircuitBreaker.FAILED_SUBJECTS);
    Duration[] pauses = {
      Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(4), Duration.ofSeconds(8),
      Duration.ofSeconds(16), Duration.ofSeconds(32), Duration.ofSeconds(60), Duration.ofSeconds(60)
    };
    for (Duration pause : pauses) {
      advance(pause.minusNanos(1));
      assertThat(breaker.tryAdmit()).as("before " + pause).isFalse();
      advance(Duration.ofNanos(1));
      assertThat(breaker.tryAdmit()).as("after " + pause).isTrue();
      breaker.recordFailure("volume");
    }
  }

  @Test
  void recordFailure_callsThatWereRunning_doesNotExtendPause() {
    failCalls(CircuitBreaker.FAILED_SUBJECTS);
    for (int i = 0; i < 20; i++) {
      breaker.recordFailure("under way " + i);
    }
    advance(Duration.ofSeconds(1));
    assertThat(breaker.tryAdmit()).isTrue();
  }

  @Test
  void tryAdmit_unfinishedTrial_admitsAnotherAfterPause() {
    failCalls(CircuitBreaker.FAILED_SUBJECTS);
    advance(Duration.ofSeconds(1));
    assertThat(breaker.tryAdmit()).isTrue();
    advance(Duration.ofSeconds(1));
    assertThat(breaker.tryAdmit()).isTrue();
  }
}
