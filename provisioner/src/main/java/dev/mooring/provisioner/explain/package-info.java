/** Explains what provisioners do to volumes, from the same decisions. */
@NullMarked
package dev.mooring.provisioner.explain;

import org.jspecify.annotations.NullMarked;
