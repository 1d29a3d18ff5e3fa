package dev.mooring.snapshots;

/**
 * How the snapshot controller runs.
 *
 * @param groups whether it works on groups of snapshots too
 */
public record SnapshotConfig(boolean groups) {}
