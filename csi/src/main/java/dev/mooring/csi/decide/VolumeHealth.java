package dev.mooring.csi.decide;

import dev.mooring.spi.csi.CsiConnection.Condition;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides the events about a volume's condition. Reasons and texts are external-health-monitor's.
 */
public final class VolumeHealth {
  public record HealthEvent(boolean isWarning, String reason, String message) {}

  private static final HealthEvent RECOVERED =
      new HealthEvent(false, "VolumeConditionNormal", "The Volume returns to the healthy state");

  private VolumeHealth() {}

  public static Optional<HealthEvent> decideEvent(
      @Nullable Condition lastCondition, @Nullable Condition condition) {
    if (condition == null || condition.equals(lastCondition)) {
      return Optional.empty();
    }
    if (condition.abnormal()) {
      return Optional.of(new HealthEvent(true, "VolumeConditionAbnormal", condition.message()));
    }
    return lastCondition != null && lastCondition.abnormal()
        ? Optional.of(RECOVERED)
        : Optional.empty();
  }

  /**
   * Returns the condition to remember: the last known one if the driver reports none.
   *
   * @param lastCondition the condition seen last; null if none
   * @param condition the current condition; null if the driver reports none
   */
  public static @Nullable Condition conditionToRemember(
      @Nullable Condition lastCondition, @Nullable Condition condition) {
    return condition == null ? lastCondition : condition;
  }
}
