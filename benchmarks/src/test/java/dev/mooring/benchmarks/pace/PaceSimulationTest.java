package dev.mooring.benchmarks.pace;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PaceSimulationTest {
  private final PaceSimulation simulation = new PaceSimulation(1);

  @Test
  void phases_rateChanges_reachBestConstant() {
    assertThat(simulation.runPhases())
        .allSatisfy(phase -> {
          assertThat(phase.share()).isGreaterThan(0.95);
          assertThat(phase.untuned()).isLessThan(0.6 * phase.tuned());
        });
  }

  @Test
  void attachTimes_besideDetachStorm_stayNearThoseAlone() {
    PaceSimulation.AttachTimes times = simulation.measureAttachTimes();
    assertThat(times.ratio()).isLessThan(1.2);
    assertThat(times.untuned()).isGreaterThan(2 * times.alone());
  }

  @Test
  void run_sameSeed_isRepeated() {
    assertThat(simulation.measureAttachTimes())
        .isEqualTo(new PaceSimulation(1).measureAttachTimes());
  }
}
