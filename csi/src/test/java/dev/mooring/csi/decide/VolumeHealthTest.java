package dev.mooring.csi.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.spi.csi.CsiConnection.Condition;
import org.junit.jupiter.api.Test;

/** Cases of external-health-monitor: one event for each change. */
class VolumeHealthTest {
  private static final Condition WELL = new Condition(false, "");
  private static final Condition LOST = new Condition(true, "lost its disk");
  private static final Condition SLOW = new Condition(true, "slow");

  @Test
  void report_abnormal_usesDriversMessage() {
    VolumeHealth.HealthEvent report =
        new VolumeHealth.HealthEvent(true, "VolumeConditionAbnormal", "lost its disk");
    assertThat(VolumeHealth.report(null, LOST)).contains(report);
    assertThat(VolumeHealth.report(WELL, LOST)).contains(report);
    assertThat(VolumeHealth.report(SLOW, LOST)).contains(report);
    assertThat(VolumeHealth.report(LOST, LOST)).as("already reported").isEmpty();
  }

  @Test
  void report_normal_onlyAfterAbnormal() {
    assertThat(VolumeHealth.report(LOST, WELL))
        .contains(
            new VolumeHealth.HealthEvent(
                false, "VolumeConditionNormal", "The Volume returns to the healthy state"));
    assertThat(VolumeHealth.report(null, WELL)).isEmpty();
    assertThat(VolumeHealth.report(WELL, WELL)).isEmpty();
    assertThat(VolumeHealth.report(WELL, new Condition(false, "another message"))).isEmpty();
  }

  @Test
  void report_noCondition_keepsLastOne() {
    assertThat(VolumeHealth.report(LOST, null)).isEmpty();
    assertThat(VolumeHealth.nextMemory(LOST, null)).isEqualTo(LOST);
    assertThat(VolumeHealth.nextMemory(LOST, WELL)).isEqualTo(WELL);
    assertThat(VolumeHealth.nextMemory(null, null)).isNull();
  }
}
