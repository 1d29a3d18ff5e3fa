/** Explains why snapshots and groups of snapshots wait. */
@NullMarked
package dev.mooring.snapshots.explain;

import org.jspecify.annotations.NullMarked;
