package dev.mooring.csi.decide;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Snapshots and group that a content names at a driver.
 *
 * @param group the group's handle; "" if the content is not of a group
 * @param snapshots the handles of the snapshots
 */
public record DriverData(String driver, String group, Set<String> snapshots) {
  public DriverData {
    snapshots = Set.copyOf(snapshots);
  }

  static DriverData of(String driver, String group, Stream<String> snapshots) {
    Set<String> handles = new LinkedHashSet<>(snapshots.toList());
    handles.remove("");
    return new DriverData(driver, group, handles);
  }

  public boolean overlaps(DriverData other) {
    boolean isSameGroup = !group.isEmpty() && group.equals(other.group);
    return driver.equals(other.driver)
        && (isSameGroup || !Collections.disjoint(snapshots, other.snapshots));
  }
}
