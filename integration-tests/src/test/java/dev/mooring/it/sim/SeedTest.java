package dev.mooring.it.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.manager.telemetry.LogSetup;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Checks that a seed alone determines a schedule, so that any failure can be replayed. */
class SeedTest {
  @BeforeAll
  static void silenceLogs() {
    LogSetup.configure(false, false, true);
  }

  @AfterAll
  static void restoreLogs() {
    LogSetup.configure(false, false, false);
  }

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
