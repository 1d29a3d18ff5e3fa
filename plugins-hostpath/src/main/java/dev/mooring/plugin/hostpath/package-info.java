/**
 * Volumes in directories of the controller's machine, for single nodes and experiments. Depends on
 * model and spi only.
 */
@NullMarked
package dev.mooring.plugin.hostpath;

import org.jspecify.annotations.NullMarked;
