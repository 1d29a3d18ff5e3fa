package dev.mooring.csi.decide;

import dev.mooring.spi.csi.CsiConnection.Condition;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides the events about a volume's condition. Reasons and texts are external-health-monitor's.
 */
public final class VolumeHealth {
  public record HealthEvent(boolean warning, String reason, String note) {}

  private static final HealthEvent RECOVERED =
      new HealthEvent(false, "VolumeConditionNormal", "The Volume returns to the healthy state");

  private VolumeHealth() {}

  public static Optional<HealthEvent> report(@Nullable Condition before, @Nullable Condition now) {
    if (now == null || now.equals(before)) {
      return Optional.empty();
    }
    if (now.abnormal()) {
      return Optional.of(new HealthEvent(true, "VolumeConditionAbnormal", now.message()));
    }
    return before != null && before.abnormal() ? Optional.of(RECOVERED) : Optional.empty();
  }

  /**
   * Returns the condition to remember: the last known one if the driver reports none.
   *
   * @param before the condition seen last; null if none
   * @param now the current condition; null if the driver reports none
   */
  public static @Nullable Condition nextMemory(
      @Nullable Condition before, @Nullable Condition now) {
    return now == null ? before : now;
  }
}
