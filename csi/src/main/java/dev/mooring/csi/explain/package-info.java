/** Explains why claims wait for a driver. */
@NullMarked
package dev.mooring.csi.explain;

import org.jspecify.annotations.NullMarked;
