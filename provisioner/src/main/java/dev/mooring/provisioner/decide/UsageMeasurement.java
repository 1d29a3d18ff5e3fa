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
  public enum Report {
    NOTHING,
    OVER,
    WITHIN
  }

  public boolean isOver() {
    return bytes > capacity.toBytesCeiling();
  }

  public Report reportSince(@Nullable UsageMeasurement previous) {
    if (isOver() == (previous != null && previous.isOver())) {
      return Report.NOTHING;
    }
    return isOver() ? Report.OVER : Report.WITHIN;
  }
}
