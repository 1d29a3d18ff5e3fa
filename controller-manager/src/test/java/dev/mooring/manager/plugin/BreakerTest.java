package dev.mooring.manager.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** When the circuit of a plugin opens, and for how long. */
class BreakerTest {
  private long now;
  private final Breaker breaker = new Breaker(() -> now);

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
  void itOpensWhenManyThingsHaveFailed() {
    fail(Breaker.THINGS - 1);
    assertThat(breaker.isOpen()).isFalse();
    fail(Breaker.THINGS);
    assertThat(breaker.isOpen()).isTrue();
    assertThat(breaker.admits()).isFalse();
  }

  @Test
  void oneThingThatFailsForEverStopsNobodyElse() {
    for (int i = 0; i < 1000; i++) {
      breaker.failed("poison");
    }
    assertThat(breaker.admits()).isTrue();
  }

  @Test
  void aSuccessBetweenThemForgetsTheFailures() {
    fail(Breaker.THINGS - 1);
    breaker.succeeded();
    fail(Breaker.THINGS - 1);
    assertThat(breaker.isOpen()).isFalse();
  }

  @Test
  void afterAPauseOneMayTryAndTheOthersWait() {
    fail(Breaker.THINGS);
    pass(Duration.ofMillis(999));
    assertThat(breaker.admits()).isFalse();
    pass(Duration.ofMillis(1));
    assertThat(breaker.admits()).isTrue();
    assertThat(breaker.admits()).isFalse();
    breaker.succeeded();
    assertThat(breaker.admits()).isTrue();
  }

  @Test
  void pausesDoubleUpToAMinute() {
    fail(Breaker.THINGS);
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
  void callsThatWereUnderWayDoNotMakeThePauseLonger() {
    fail(Breaker.THINGS);
    for (int i = 0; i < 20; i++) {
      breaker.failed("under way " + i);
    }
    pass(Duration.ofSeconds(1));
    assertThat(breaker.admits()).isTrue();
  }

  @Test
  void oneWhoTriesAndIsNeverHeardOfHoldsNobodyUp() {
    fail(Breaker.THINGS);
    pass(Duration.ofSeconds(1));
    assertThat(breaker.admits()).isTrue();
    pass(Duration.ofSeconds(1));
    assertThat(breaker.admits()).isTrue();
  }
}
