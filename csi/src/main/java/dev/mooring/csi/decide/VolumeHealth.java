package dev.mooring.csi.decide;

import dev.mooring.model.Claim;
import dev.mooring.spi.csi.CsiConnection.Condition;
import dev.mooring.spi.csi.VolumeProblem;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides which health problems a claim's status and events report. Reasons and texts of events are
 * external-health-monitor's.
 */
public final class VolumeHealth {
  public record HealthEvent(boolean isWarning, String reason, String message) {}

  private static final HealthEvent RECOVERED =
      new HealthEvent(false, "VolumeConditionNormal", "The Volume returns to the healthy state");

  // limits of status.healthStatus in Kubernetes 1.37
  private static final int MAX_CONDITIONS = 16;
  private static final int MAX_REASON_BYTES = 256;
  private static final int MAX_MESSAGE_BYTES = 1024;
  private static final String UNKNOWN_REASON = "Unknown";

  private VolumeHealth() {}

  /**
   * Returns the conditions that the API server accepts, in a fixed order: one for each status and
   * reason, at most 16.
   */
  public static List<Claim.HealthCondition> makeConditions(List<VolumeProblem> problems) {
    Map<String, Claim.HealthCondition> conditions = new TreeMap<>();
    for (VolumeProblem problem : problems) {
      String reason = problem.reason().isEmpty() ? UNKNOWN_REASON : problem.reason();
      Claim.HealthCondition condition =
          new Claim.HealthCondition(
              problem.severity().text(),
              StatusText.cut(reason, MAX_REASON_BYTES),
              StatusText.cut(problem.message(), MAX_MESSAGE_BYTES));
      conditions.putIfAbsent(condition.status() + " " + condition.reason(), condition);
    }
    return conditions.values().stream().limit(MAX_CONDITIONS).toList();
  }

  /** Returns the condition for events, where the API server does not store health conditions. */
  public static Condition summarize(List<Claim.HealthCondition> conditions) {
    return new Condition(
        !conditions.isEmpty(),
        conditions.stream().map(VolumeHealth::describe).collect(Collectors.joining("; ")));
  }

  public static String describe(Claim.HealthCondition condition) {
    return condition.status()
        + ": "
        + condition.reason()
        + (condition.message().isEmpty() ? "" : ": " + condition.message());
  }

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
