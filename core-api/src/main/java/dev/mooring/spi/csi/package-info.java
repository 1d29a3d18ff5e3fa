/**
 * Calls to CSI drivers. The host decides which calls to make. A {@link
 * dev.mooring.spi.csi.CsiConnector}, loaded like a plugin, performs them, so the transport's
 * libraries do not conflict with other libraries.
 */
@NullMarked
package dev.mooring.spi.csi;

import org.jspecify.annotations.NullMarked;
