/**
 * What a volume plugin implements. This package with {@code spi.csi} (for what connects to CSI
 * drivers) and {@code spi.files} (for volumes that are directories), and {@code model}, are all
 * that a plugin sees of Mooring, and a promise: they depend on the JDK only and change compatibly.
 *
 * <p>Behaviour is an open interface, one per capability; what comes back is sealed. A plugin is
 * found by {@link java.util.ServiceLoader} under {@link dev.mooring.spi.VolumePlugin} and needs a
 * public constructor without parameters. Capabilities for attaching, expanding and recycling join
 * with the controllers that drive them.
 */
@NullMarked
package dev.mooring.spi;

import org.jspecify.annotations.NullMarked;
