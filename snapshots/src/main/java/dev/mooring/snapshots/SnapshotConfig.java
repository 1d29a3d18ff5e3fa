package dev.mooring.snapshots;

/**
 * Configuration of the snapshot controller.
 *
 * @param groups whether it serves group snapshots
 * @param distributed whether contents name the node whose instance of the driver makes the snapshot
 */
public record SnapshotConfig(boolean groups, boolean distributed) {}
