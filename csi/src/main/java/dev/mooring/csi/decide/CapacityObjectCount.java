package dev.mooring.csi.decide;

/**
 * Number of CSIStorageCapacity objects of a driver.
 *
 * @param goal objects that should exist
 * @param current objects that exist and should
 * @param obsolete objects that exist and should not
 */
public record CapacityObjectCount(int goal, int current, int obsolete) {
  public static final CapacityObjectCount NONE = new CapacityObjectCount(0, 0, 0);

  public CapacityObjectCount plus(CapacityObjectCount other) {
    return new CapacityObjectCount(
        goal + other.goal, current + other.current, obsolete + other.obsolete);
  }
}
