package dev.mooring.csi;

/**
 * Number of CSIStorageCapacity objects of a driver.
 *
 * @param goal objects that should exist
 * @param current objects that exist and should
 * @param obsolete objects that exist and should not
 */
public record CapacityCount(int goal, int current, int obsolete) {
  static final CapacityCount NONE = new CapacityCount(0, 0, 0);

  CapacityCount plus(CapacityCount other) {
    return new CapacityCount(goal + other.goal, current + other.current, obsolete + other.obsolete);
  }
}
