package dev.mooring.it.sim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks that a seed alone determines a schedule, so that any failure can be replayed. */
class SeedTest {
  /**
   * Plays the same seeds in this JVM and in a new one. They differ if a schedule depends on earlier
   * schedules, on the machine's speed or on the order of a hash set.
   */
  @ParameterizedTest
  @EnumSource
  void schedule_sameSeedInOtherJvm_isIdentical(WorkloadType type) throws Exception {
    SchedulePlayer schedules = new SchedulePlayer(type);
    assertThat(schedules.historiesOfOtherJvm()).isEqualTo(schedules.histories());
  }
}
