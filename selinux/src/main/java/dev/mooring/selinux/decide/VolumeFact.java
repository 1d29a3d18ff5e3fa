package dev.mooring.selinux.decide;

/** What is known of a pod's volume. */
public sealed interface VolumeFact {
  /** Its claim is not bound yet, or is not the pod's: nothing is known. */
  record Waits() implements VolumeFact {}

  /** It is never mounted with a label, whoever uses it. */
  record Plain() implements VolumeFact {}

  /**
   * It is this one.
   *
   * @param key its identity
   * @param driver the CSI driver that mounts it, "" for none
   * @param takesLabel whether it can be mounted with a label at this moment
   */
  record Known(VolumeKey key, String driver, boolean takesLabel) implements VolumeFact {}
}
