/**
 * Volumes in directories of nodes; replaces local-path-provisioner. Depends on model and spi only.
 */
@NullMarked
package dev.mooring.plugin.localpath;

import org.jspecify.annotations.NullMarked;
