/** Writes what {@code decide} decided. */
@NullMarked
package dev.mooring.protection.execute;

import org.jspecify.annotations.NullMarked;
