/**
 * Volumes in directories of NFS exports that are mounted on the controller's machine. Depends on
 * model and spi only.
 */
@NullMarked
package dev.mooring.plugin.nfs;

import org.jspecify.annotations.NullMarked;
