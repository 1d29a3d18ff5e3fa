package dev.mooring.csi.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.workqueue.Backoff;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CapacityScheduleTest {
  private static final Map<String, String> A = Map.of("zone", "a");
  private static final Map<String, String> B = Map.of("zone", "b");
  private static final long SECOND = 1_000_000_000L;

  private final CapacitySchedule schedule =
      new CapacitySchedule(
          Duration.ofMinutes(1), new Backoff<>(Duration.ofSeconds(16), Duration.ofMinutes(5)));

  @Test
  void takeSegments_firstCall_returnsAll() {
    schedule.mark("c", Optional.of(Set.of(A)));
    assertThat(schedule.takeSegments("c", 0)).isEmpty();
  }

  @Test
  void takeSegments_laterCall_returnsMarkedSegments() {
    schedule.takeSegments("c", 0);
    schedule.mark("c", Optional.of(Set.of(A)));
    schedule.mark("c", Optional.of(Set.of(B)));
    assertThat(schedule.takeSegments("c", SECOND)).contains(Set.of(A, B));
    assertThat(schedule.takeSegments("c", 2 * SECOND)).as("nothing is marked").isEmpty();
    schedule.mark("c", Optional.of(Set.of(A)));
    schedule.mark("c", Optional.empty());
    schedule.mark("c", Optional.of(Set.of(A)));
    assertThat(schedule.takeSegments("c", 3 * SECOND)).isEmpty();
  }

  @Test
  void completeUpdate_segmentRefused_isDueAfterBackOffWithinPeriod() {
    schedule.takeSegments("c", 0);
    assertThat(schedule.completeUpdate("c", Set.of(A), 0)).isEqualTo(Duration.ofSeconds(16));
    assertThat(schedule.takeSegments("c", 16 * SECOND)).contains(Set.of(A));
    assertThat(schedule.completeUpdate("c", Set.of(A), 16 * SECOND))
        .isEqualTo(Duration.ofSeconds(32));
    assertThat(schedule.takeSegments("c", 48 * SECOND)).contains(Set.of(A));
    assertThat(schedule.completeUpdate("c", Set.of(A), 48 * SECOND))
        .as("all segments are due then")
        .isEqualTo(Duration.ofSeconds(12));
    assertThat(schedule.takeSegments("c", 60 * SECOND)).isEmpty();
    assertThat(schedule.completeUpdate("c", Set.of(), 60 * SECOND))
        .isEqualTo(Duration.ofMinutes(1));
    assertThat(schedule.completeUpdate("c", Set.of(A), 60 * SECOND))
        .as("the driver answered meanwhile")
        .isEqualTo(Duration.ofSeconds(16));
  }

  /** Even if segments are marked all the time. */
  @Test
  void takeSegments_periodElapsed_returnsAll() {
    schedule.takeSegments("c", 0);
    int fullUpdates = 0;
    for (int second = 1; second <= 600; second++) {
      schedule.mark("c", Optional.of(Set.of(A)));
      fullUpdates += schedule.takeSegments("c", second * SECOND).isEmpty() ? 1 : 0;
    }
    assertThat(fullUpdates).isEqualTo(10);
    assertThat(schedule.untilFullUpdate("c", 601 * SECOND)).isEqualTo(Duration.ofSeconds(59));
    assertThat(schedule.untilFullUpdate("d", 601 * SECOND)).isZero();
  }
}
