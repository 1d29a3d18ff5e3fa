/**
 * Utilities for plugins whose volumes are directories. Untrusted names become paths only in {@link
 * dev.mooring.spi.files.RelativePath}, which stays below its root. {@link
 * dev.mooring.spi.files.DirectoryTree} operates below a root without following links. {@link
 * dev.mooring.spi.files.PathPattern} derives the directories of a StorageClass's volumes. {@link
 * dev.mooring.spi.files.AtomicFiles} stores a plugin's data about them.
 *
 * <p>The classes that create and delete directories need only the JDK: the local-path plugin copies
 * them into pods without the rest of Mooring.
 */
@NullMarked
package dev.mooring.spi.files;

import org.jspecify.annotations.NullMarked;
