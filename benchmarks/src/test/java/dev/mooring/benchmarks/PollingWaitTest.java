package dev.mooring.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PollingWaitTest {
  private static final PollingWait SHORT =
      new PollingWait(Duration.ofMillis(1), Duration.ofMillis(100));

  private int polls;

  @Test
  void until_conditionIsMet_returnsWithoutPoll() throws InterruptedException {
    PollingWait.of(1_000_000, 0).until("not met", () -> true);
    assertThat(PollingWait.of(1_000_000, 0).await(() -> true)).isTrue();
  }

  @Test
  void until_conditionIsMetAtFifthPoll_pollsFiveTimes() throws InterruptedException {
    PollingWait.of(1, 60).until("not met", () -> ++polls == 5);
    assertThat(polls).isEqualTo(5);
  }

  @Test
  void until_conditionIsNeverMet_throwsWithStateAfterTimeout() throws InterruptedException {
    assertThatThrownBy(() -> SHORT.until(() -> "polls: " + polls, () -> ++polls < 0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("polls: " + polls + " (waited 0.1 s)");
    assertThat(SHORT.await(() -> false)).isFalse();
  }

  @Test
  void awaitZero_progress_restartsTimeout() throws InterruptedException {
    PollingWait pause = new PollingWait(Duration.ofMillis(20), Duration.ofMillis(100));
    assertThat(pause.awaitZero(() -> 20 - polls++)).as("in 400 ms").isTrue();
    assertThatThrownBy(() -> SHORT.untilZero(() -> "two remain", () -> 2))
        .hasMessageStartingWith("two remain");
  }

  @Test
  void until_conditionThrows_throwsItsException() {
    assertThatThrownBy(() ->
            PollingWait.of(1, 60)
                .until(
                    "not met",
                    () -> {
                      throw new IOException("no answer");
                    }))
        .isInstanceOf(IOException.class);
  }
}
