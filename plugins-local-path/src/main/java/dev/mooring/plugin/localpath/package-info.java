/**
 * Volumes that are directories of nodes: in the place of local-path-provisioner. Sees model and spi
 * only.
 */
@NullMarked
package dev.mooring.plugin.localpath;

import org.jspecify.annotations.NullMarked;
