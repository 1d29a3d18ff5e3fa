package dev.mooring.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TestWaitTest {
  private static final Duration BRIEFLY = Duration.ofMillis(50);

  @Test
  void until_conditionNeverHolds_failsWithDescription() {
    AtomicInteger evaluations = new AtomicInteger();
    assertThatThrownBy(() ->
            TestWait.until(
                BRIEFLY, () -> evaluations + " looks", () -> evaluations.incrementAndGet() < 0))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("looks");
    assertThat(evaluations).hasPositiveValue();
  }

  @Test
  void until_conditionThrows_fails() {
    assertThatThrownBy(() ->
            TestWait.until(
                "the condition",
                () -> {
                  throw new IllegalArgumentException("never");
                }))
        .hasMessageContaining("never");
  }

  @Test
  void until_interruptedThread_fails() {
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(() -> TestWait.until("the condition", () -> false))
          .hasMessageContaining("interrupted while waiting: the condition");
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void lastOf_matchOrTimeout_returnsLastValue() throws Exception {
    AtomicInteger evaluations = new AtomicInteger();
    assertThat(TestWait.lastOf(TestWait.LONGEST, evaluations::incrementAndGet, look -> look == 5))
        .isEqualTo(5);
    assertThat(evaluations).hasValue(5);
    assertThat(TestWait.lastOf(BRIEFLY, evaluations::incrementAndGet, look -> look < 0))
        .isEqualTo(evaluations.get());
  }
}
