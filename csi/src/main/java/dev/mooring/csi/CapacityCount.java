package dev.mooring.csi;

/**
 * How many CSIStorageCapacity objects there are of a driver.
 *
 * @param goal how many there should be
 * @param current how many of these there are
 * @param obsolete how many there are that should not be
 */
public record CapacityCount(int goal, int current, int obsolete) {
  /** None. */
  static final CapacityCount NONE = new CapacityCount(0, 0, 0);

  /** These and those. */
  CapacityCount plus(CapacityCount other) {
    return new CapacityCount(goal + other.goal, current + other.current, obsolete + other.obsolete);
  }
}
