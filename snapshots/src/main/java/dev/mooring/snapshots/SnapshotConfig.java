package dev.mooring.snapshots;

import java.time.Duration;

/**
 * Configuration of the snapshot controller.
 *
 * @param groups whether it serves group snapshots
 * @param distributed whether contents name the node whose instance of the driver makes the snapshot
 * @param deletionDelay time between the deletion of a snapshot and that of its data; zero for none
 */
public record SnapshotConfig(boolean groups, boolean distributed, Duration deletionDelay) {}
