/** Reads live facts and executes the steps that {@code decide} returns. */
@NullMarked
package dev.mooring.snapshots.execute;

import org.jspecify.annotations.NullMarked;
