/** Tells and marks what {@code decide} decided. */
@NullMarked
package dev.mooring.expander.execute;

import org.jspecify.annotations.NullMarked;
