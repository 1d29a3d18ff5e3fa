package dev.mooring.csi.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.Claim.HealthCondition;
import dev.mooring.spi.csi.CsiConnection.Condition;
import dev.mooring.spi.csi.VolumeProblem;
import dev.mooring.spi.csi.VolumeProblem.Severity;
import java.util.ArrayList;
import java.util.List;
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

  private static VolumeProblem problem(Severity severity, String reason, String message) {
    return new VolumeProblem(severity, reason, message);
  }

  @Test
  void makeConditions_problems_areSortedWithoutRepetition() {
    assertThat(
            VolumeHealth.makeConditions(
                List.of(
                    problem(Severity.INACCESSIBLE, "B", "first"),
                    problem(Severity.DEGRADED, "A", ""),
                    problem(Severity.INACCESSIBLE, "B", "second"),
                    problem(Severity.DATA_LOSS, "", ""))))
        .containsExactly(
            new HealthCondition("DataLoss", "Unknown", ""),
            new HealthCondition("Degraded", "A", ""),
            new HealthCondition("Inaccessible", "B", "first"));
  }

  /** The API server would reject the claim's whole status. */
  @Test
  void makeConditions_beyondLimits_isCut() {
    List<VolumeProblem> problems = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      problems.add(problem(Severity.DEGRADED, "R" + (char) ('a' + i), "\u20ac".repeat(400)));
    }
    problems.add(problem(Severity.DATA_LOSS, "r".repeat(300), ""));

    List<HealthCondition> conditions = VolumeHealth.makeConditions(problems);
    assertThat(conditions).hasSize(16);
    assertThat(conditions.getFirst().reason()).hasSize(256);
    assertThat(conditions.getLast().message()).as("whole characters").hasSize(341);
  }

  @Test
  void summarize_conditions_areOneMessage() {
    assertThat(
            VolumeHealth.summarize(
                List.of(
                    new HealthCondition("DataLoss", "Gone", "sold"),
                    new HealthCondition("Degraded", "Slow", ""))))
        .isEqualTo(new Condition(true, "DataLoss: Gone: sold; Degraded: Slow"));
    assertThat(VolumeHealth.summarize(List.of())).isEqualTo(WELL);
  }
}
