/** Writes to claims, volumes and pods, and calls to populators. */
@NullMarked
package dev.mooring.populator.execute;

import org.jspecify.annotations.NullMarked;
