/** Decides the next step for snapshots, group snapshots and their contents. Pure functions. */
@NullMarked
package dev.mooring.snapshots.decide;

import org.jspecify.annotations.NullMarked;
