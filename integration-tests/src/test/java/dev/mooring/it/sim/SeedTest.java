package dev.mooring.it.sim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whoever is told a seed has the schedule. */
class SeedTest {
  /**
   * Of two processes one plays them after whatever else it has run, and at the speed of the moment:
   * what a schedule left behind for the next, and sets that are in another order, show as well.
   */
  @ParameterizedTest
  @EnumSource
  void aSeedIsASchedule(Workloads workloads) throws Exception {
    Schedules schedules = new Schedules(workloads);
    assertThat(schedules.historiesElsewhere()).isEqualTo(schedules.histories());
  }
}
