/**
 * Interfaces that a volume plugin implements. A plugin sees only this package, {@code spi.csi} (for
 * transports to CSI drivers), {@code spi.files} (for volumes that are directories) and {@code
 * model}. They depend on the JDK only and stay binary compatible.
 *
 * <p>Each capability is an open interface; each result is a sealed type. The host finds a plugin
 * through {@link java.util.ServiceLoader} as a {@link dev.mooring.spi.VolumePlugin}; the class
 * needs a public constructor without parameters.
 */
@NullMarked
package dev.mooring.spi;

import org.jspecify.annotations.NullMarked;
