/**
 * Snapshot controller: creates or finds the content of each VolumeSnapshot and VolumeGroupSnapshot.
 */
@NullMarked
package dev.mooring.snapshots;

import org.jspecify.annotations.NullMarked;
