package dev.mooring.provisioner.decide;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import org.jspecify.annotations.Nullable;

/**
 * Result of measuring a volume.
 *
 * @param files number of files
 */
public record UsageMeasurement(
    ObjectKey claim, String volume, long bytes, long files, Quantity capacity) {
  /** Event to emit for a claim. */
  public enum Report {
    NOTHING,
    /** The usage exceeds the capacity. */
    OVER,
    /** The usage no longer exceeds the capacity. */
    WITHIN
  }

  /** Returns true if the usage exceeds the capacity. */
  public boolean isOver() {
    return bytes > capacity.toBytesCeiling();
  }

  /**
   * Returns the event to emit.
   *
   * @param before previous measurement; null if there is none
   */
  public Report tell(@Nullable UsageMeasurement before) {
    if (isOver() == (before != null && before.isOver())) {
      return Report.NOTHING;
    }
    return isOver() ? Report.OVER : Report.WITHIN;
  }
}
