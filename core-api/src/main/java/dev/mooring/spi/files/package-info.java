/**
 * For plugins whose volumes are directories: a {@link dev.mooring.spi.files.RelativePath} is made
 * of names that come from the cluster and never leads out, a {@link
 * dev.mooring.spi.files.DirectoryTree} works on what is below a root without ever following a link.
 * Names become paths here and nowhere else. A {@link dev.mooring.spi.files.PathPattern} says by
 * what a class's directories are named, {@link dev.mooring.spi.files.AtomicFiles} keep what a
 * plugin has to know of them.
 *
 * <p>What makes and removes directories needs nothing but the JDK: the local-path plugin takes
 * these classes into pods that have nothing else of Mooring.
 */
@NullMarked
package dev.mooring.spi.files;

import org.jspecify.annotations.NullMarked;
