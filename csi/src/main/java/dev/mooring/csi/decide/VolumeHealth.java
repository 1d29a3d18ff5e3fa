package dev.mooring.csi.decide;

import dev.mooring.spi.csi.CsiConnection.Condition;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a claim is told of its volume's condition: external-health-monitor's reasons and texts. */
public final class VolumeHealth {
  /**
   * An event.
   *
   * @param warning whether something is wrong
   * @param reason the event's reason
   * @param note its text
   */
  public record Report(boolean warning, String reason, String note) {}

  private static final Report RECOVERED =
      new Report(false, "VolumeConditionNormal", "The Volume returns to the healthy state");

  private VolumeHealth() {}

  /**
   * What is to be told.
   *
   * @param before the condition that was seen the last time, null if none was
   * @param now the condition, null if the driver says nothing about the volume
   */
  public static Optional<Report> report(@Nullable Condition before, @Nullable Condition now) {
    if (now == null || now.equals(before)) {
      return Optional.empty();
    }
    if (now.abnormal()) {
      return Optional.of(new Report(true, "VolumeConditionAbnormal", now.message()));
    }
    return before != null && before.abnormal() ? Optional.of(RECOVERED) : Optional.empty();
  }

  /**
   * The condition to remember: what the driver is silent about is as it was.
   *
   * @param before the condition that was seen the last time, null if none was
   * @param now the condition, null if the driver says nothing about the volume
   */
  public static @Nullable Condition remembered(
      @Nullable Condition before, @Nullable Condition now) {
    return now == null ? before : now;
  }
}
