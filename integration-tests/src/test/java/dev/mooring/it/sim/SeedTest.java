package dev.mooring.it.sim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A seed determines its schedule. */
class SeedTest {
  /**
   * The second process plays the schedules after other work, at another speed: this reveals state
   * that a schedule left behind, and sets in another order.
   */
  @ParameterizedTest
  @EnumSource
  void aSeedIsASchedule(Workloads workloads) throws Exception {
    Schedules schedules = new Schedules(workloads);
    assertThat(schedules.historiesElsewhere()).isEqualTo(schedules.histories());
  }
}
