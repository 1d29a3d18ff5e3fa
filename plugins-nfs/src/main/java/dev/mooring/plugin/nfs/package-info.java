/**
 * Volumes that are directories of NFS exports, which are mounted where the controller runs. Sees
 * model and spi only.
 */
@NullMarked
package dev.mooring.plugin.nfs;

import org.jspecify.annotations.NullMarked;
