/** Writes what was decided. */
@NullMarked
package dev.mooring.snapshots.execute;

import org.jspecify.annotations.NullMarked;
