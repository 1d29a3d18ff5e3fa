/** What the snapshot controller does: finds or makes the content of each VolumeSnapshot. */
@NullMarked
package dev.mooring.snapshots;

import org.jspecify.annotations.NullMarked;
