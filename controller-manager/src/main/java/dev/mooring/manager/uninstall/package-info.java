/** What Mooring leaves on objects, and how it is taken off again. */
@NullMarked
package dev.mooring.manager.uninstall;

import org.jspecify.annotations.NullMarked;
