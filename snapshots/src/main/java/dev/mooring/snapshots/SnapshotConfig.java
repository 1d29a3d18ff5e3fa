package dev.mooring.snapshots;

/**
 * Configuration of the snapshot controller.
 *
 * @param groups whether it serves group snapshots
 */
public record SnapshotConfig(boolean groups) {}
