/**
 * Volumes that are directories of the machine the controller runs on; for single nodes and for
 * trying things out. Sees model and spi only.
 */
@NullMarked
package dev.mooring.plugin.hostpath;

import org.jspecify.annotations.NullMarked;
