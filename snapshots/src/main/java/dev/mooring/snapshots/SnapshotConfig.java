package dev.mooring.snapshots;

/**
 * How the snapshot controller runs.
 *
 * @param groups whether it works on groups of snapshots too
 */
public record SnapshotConfig(boolean groups) {
  /** On single snapshots only. */
  public static final SnapshotConfig DEFAULTS = new SnapshotConfig(false);
}
