/** Removal of everything that Mooring leaves on objects. */
@NullMarked
package dev.mooring.manager.uninstall;

import org.jspecify.annotations.NullMarked;
