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
  void decideEvent_abnormal_usesDriversMessage() {
    VolumeHealth.HealthEvent report =
        new VolumeHealth.HealthEvent(true, "VolumeConditionAbnormal", "lost its disk");
    assertThat(VolumeHealth.decideEvent(null, LOST)).contains(report);
    assertThat(VolumeHealth.decideEvent(WELL, LOST)).contains(report);
    assertThat(VolumeHealth.decideEvent(SLOW, LOST)).contains(report);
    assertThat(VolumeHealth.decideEvent(LOST, LOST)).as("already reported").isEmpty();
  }

  @Test
  void decideEvent_normal_onlyAfterAbnormal() {
    assertThat(VolumeHealth.decideEvent(LOST, WELL))
        .contains(
            new VolumeHealth.HealthEvent(
                false, "VolumeConditionNormal", "The Volume returns to the healthy state"));
    assertThat(VolumeHealth.decideEvent(null, WELL)).isEmpty();
    assertThat(VolumeHealth.decideEvent(WELL, WELL)).isEmpty();
    assertThat(VolumeHealth.decideEvent(WELL, new Condition(false, "another message"))).isEmpty();
  }

  @Test
  void conditionToRemember_noCondition_isLastOne() {
    assertThat(VolumeHealth.decideEvent(LOST, null)).isEmpty();
    assertThat(VolumeHealth.conditionToRemember(LOST, null)).isEqualTo(LOST);
    assertThat(VolumeHealth.conditionToRemember(LOST, WELL)).isEqualTo(WELL);
    assertThat(VolumeHealth.conditionToRemember(null, null)).isNull();
  }
}
