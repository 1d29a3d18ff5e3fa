package dev.mooring.selinux.decide;

/** Cached knowledge about a pod's volume. */
public sealed interface VolumeFact {
  record Unbound() implements VolumeFact {}

  record Unsupported() implements VolumeFact {}

  record Known(VolumeKey key, String driver, boolean supportsLabel) implements VolumeFact {}
}
