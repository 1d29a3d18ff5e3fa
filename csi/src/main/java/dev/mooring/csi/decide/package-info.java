/**
 * Decides the CSI calls and the CSIStorageCapacity objects. Pure functions; results are data for
 * {@code execute}.
 */
@NullMarked
package dev.mooring.csi.decide;

import org.jspecify.annotations.NullMarked;
