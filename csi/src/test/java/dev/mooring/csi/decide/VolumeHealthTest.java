package dev.mooring.csi.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.spi.csi.CsiConnection.Condition;
import org.junit.jupiter.api.Test;

/** external-health-monitor's events, one for every change. */
class VolumeHealthTest {
  private static final Condition WELL = new Condition(false, "");
  private static final Condition LOST = new Condition(true, "lost its disk");
  private static final Condition SLOW = new Condition(true, "slow");

  @Test
  void whatIsWrongIsToldInTheDriversWords() {
    VolumeHealth.Report report =
        new VolumeHealth.Report(true, "VolumeConditionAbnormal", "lost its disk");
    assertThat(VolumeHealth.report(null, LOST)).contains(report);
    assertThat(VolumeHealth.report(WELL, LOST)).contains(report);
    assertThat(VolumeHealth.report(SLOW, LOST)).contains(report);
    assertThat(VolumeHealth.report(LOST, LOST)).as("it was told").isEmpty();
  }

  @Test
  void thatItIsWellIsToldOnlyIfItWasNot() {
    assertThat(VolumeHealth.report(LOST, WELL))
        .contains(
            new VolumeHealth.Report(
                false, "VolumeConditionNormal", "The Volume returns to the healthy state"));
    assertThat(VolumeHealth.report(null, WELL)).isEmpty();
    assertThat(VolumeHealth.report(WELL, WELL)).isEmpty();
    assertThat(VolumeHealth.report(WELL, new Condition(false, "as ever"))).isEmpty();
  }

  @Test
  void silenceChangesNothing() {
    assertThat(VolumeHealth.report(LOST, null)).isEmpty();
    assertThat(VolumeHealth.remembered(LOST, null)).isEqualTo(LOST);
    assertThat(VolumeHealth.remembered(LOST, WELL)).isEqualTo(WELL);
    assertThat(VolumeHealth.remembered(null, null)).isNull();
  }
}
