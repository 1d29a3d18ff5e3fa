package dev.mooring.provisioner.decide;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import org.jspecify.annotations.Nullable;

/**
 * Result of measuring a volume.
 *
 * @param files number of files
 * @param unreadableDirectories number of directories without whose contents the bytes are only a
 *     lower bound
 */
public record UsageMeasurement(
    ObjectKey claim,
    String volume,
    long bytes,
    long files,
    long unreadableDirectories,
    Quantity capacity) {
  public enum Report {
    NOTHING,
    OVER,
    INCOMPLETE,
    WITHIN
  }

  public boolean isOver() {
    return bytes > capacity.toBytesCeiling();
  }

  public Report reportSince(@Nullable UsageMeasurement previous) {
    Report previousState = previous == null ? Report.WITHIN : previous.state();
    return state() == previousState ? Report.NOTHING : state();
  }

  public boolean isLowerBound() {
    return unreadableDirectories > 0;
  }

  private Report state() {
    if (isOver()) {
      return Report.OVER;
    }
    return isLowerBound() ? Report.INCOMPLETE : Report.WITHIN;
  }
}
