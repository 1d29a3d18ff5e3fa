package dev.mooring.selinux.decide;

/** Cached knowledge about a pod's volume. */
public sealed interface VolumeFact {
  /** The claim is not bound yet, or does not belong to the pod. */
  record Waits() implements VolumeFact {}

  /** A volume of a type that is never mounted with a label. */
  record Plain() implements VolumeFact {}

  /**
   * A volume that may be mounted with a label.
   *
   * @param driver name of its CSI driver; "" if it has none
   * @param takesLabel whether the driver currently supports mounting with a label
   */
  record Known(VolumeKey key, String driver, boolean takesLabel) implements VolumeFact {}
}
