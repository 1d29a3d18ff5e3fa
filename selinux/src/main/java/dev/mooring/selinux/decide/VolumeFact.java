package dev.mooring.selinux.decide;

/** Cached knowledge about a pod's volume. */
public sealed interface VolumeFact {
  record Waits() implements VolumeFact {}

  record Plain() implements VolumeFact {}

  record Known(VolumeKey key, String driver, boolean takesLabel) implements VolumeFact {}
}
