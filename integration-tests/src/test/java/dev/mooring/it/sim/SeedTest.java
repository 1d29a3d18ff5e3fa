package dev.mooring.it.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Checks that a seed alone determines a schedule, so that any failure can be replayed. */
@ExtendWith(SilencedLogs.class)
class SeedTest {
  /**
   * Plays the same seeds in this JVM and in a new one. They differ if a schedule depends on earlier
   * schedules, on the machine's speed or on the order of a hash set.
   */
  @Test
  void schedules_sameSeedsInOtherJvm_areIdentical() throws Exception {
    List<String> histories = new ArrayList<>();
    for (WorkloadType type : WorkloadType.values()) {
      histories.addAll(new SchedulePlayer(type).histories());
    }
    assertThat(SchedulePlayer.historiesOfOtherJvm())
        .hasSizeGreaterThan(WorkloadType.values().length)
        .isEqualTo(histories);
  }
}
