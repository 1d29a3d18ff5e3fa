/**
 * The door to CSI drivers. The host decides what a driver is asked; a {@link
 * dev.mooring.spi.csi.CsiConnector}, loaded as a plugin, carries the calls, so that its transport's
 * libraries meet nobody else's.
 */
@NullMarked
package dev.mooring.spi.csi;

import org.jspecify.annotations.NullMarked;
