package dev.mooring.provisioner.decide;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import org.jspecify.annotations.Nullable;

/**
 * What was found in a volume when it was measured.
 *
 * @param claim whose volume it is
 * @param volume its name
 * @param bytes what is in it
 * @param files how many files that are
 * @param capacity how large it is
 */
public record Measurement(
    ObjectKey claim, String volume, long bytes, long files, Quantity capacity) {
  /** What a claim is told. */
  public enum Report {
    /** Nothing: it knows. */
    NOTHING,
    /** That its volume holds more than it has. */
    OVER,
    /** That it does no longer. */
    WITHIN
  }

  /** Whether it holds more than it has. */
  public boolean isOver() {
    return bytes > capacity.toBytesCeiling();
  }

  /**
   * What its user has to hear.
   *
   * @param before what was found the last time; null for nothing
   */
  public Report tell(@Nullable Measurement before) {
    if (isOver() == (before != null && before.isOver())) {
      return Report.NOTHING;
    }
    return isOver() ? Report.OVER : Report.WITHIN;
  }
}
