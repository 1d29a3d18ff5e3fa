/** Removal of the annotations, labels, finalizers and pods of Mooring from the cluster. */
@NullMarked
package dev.mooring.manager.uninstall;

import org.jspecify.annotations.NullMarked;
