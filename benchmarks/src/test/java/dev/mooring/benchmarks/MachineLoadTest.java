package dev.mooring.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.benchmarks.MachineLoad.CpuTicks;
import org.junit.jupiter.api.Test;

class MachineLoadTest {
  private static final CpuTicks IDLE = new CpuTicks(200, 196, 0);

  @Test
  void ticks_lineOfProcStat_areParsed() {
    assertThat(CpuTicks.parse("cpu  10 1 5 80 4 0 0 7 0 0")).isEqualTo(new CpuTicks(107, 84, 7));
  }

  @Test
  void report_quietMachine_statesLoadOnly() {
    assertThat(MachineLoad.describe(IDLE, new CpuTicks(1000, 0, 10), "0.10", "1.90"))
        .isEqualTo(
            "machine: CPUs 2 % busy before, load average 0.10 before and 1.90 after, steal 1.0 %");
  }

  @Test
  void report_busyBefore_cannotBeJudged() {
    assertThat(MachineLoad.describe(new CpuTicks(200, 100, 0), IDLE, "1", "1"))
        .contains("too busy to judge");
  }

  @Test
  void report_stolenTime_cannotBeJudged() {
    assertThat(MachineLoad.describe(IDLE, new CpuTicks(1000, 0, 100), "1", "1"))
        .contains("too busy to judge");
  }

  @Test
  void report_systemWithoutProc_statesUnknownLoad() {
    CpuTicks none = new CpuTicks(0, 0, 0);
    assertThat(MachineLoad.describe(none, none, "unknown", "unknown"))
        .contains("load average unknown")
        .doesNotContain("judge");
  }
}
