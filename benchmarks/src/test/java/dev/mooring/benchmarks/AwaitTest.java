package dev.mooring.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class AwaitTest {
  private static final Await NOT_LONG = new Await(Duration.ofMillis(1), Duration.ofMillis(100));

  private int looks;

  @Test
  void whatIsSoIsNotWaitedFor() throws InterruptedException {
    Await.of(1_000_000, 0).until("it is so", () -> true);
    assertThat(Await.of(1_000_000, 0).comes(() -> true)).isTrue();
  }

  @Test
  void itIsLookedForUntilItComes() throws InterruptedException {
    Await.of(1, 60).until("it does not come", () -> ++looks == 5);
    assertThat(looks).isEqualTo(5);
  }

  @Test
  void whatDoesNotComeIsSaid() throws InterruptedException {
    assertThatThrownBy(() -> NOT_LONG.until(() -> "it has come to " + looks, () -> ++looks < 0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("it has come to " + looks + " (waited 0.1 s)");
    assertThat(NOT_LONG.comes(() -> false)).isFalse();
  }

  /** However long all of it takes, as long as something comes. */
  @Test
  void whatComesPieceByPieceHasTheTimeForEachPiece() throws InterruptedException {
    Await pause = new Await(Duration.ofMillis(20), Duration.ofMillis(100));
    assertThat(pause.noneLeft(() -> 20 - looks++)).as("in 400 ms").isTrue();
    assertThatThrownBy(() -> NOT_LONG.untilNoneLeft(() -> "two are left", () -> 2))
        .hasMessageStartingWith("two are left");
  }

  @Test
  void aLookThatFailsEndsTheWaiting() {
    assertThatThrownBy(() ->
            Await.of(1, 60)
                .until(
                    "it does not come",
                    () -> {
                      throw new IOException("no answer");
                    }))
        .isInstanceOf(IOException.class);
  }
}
