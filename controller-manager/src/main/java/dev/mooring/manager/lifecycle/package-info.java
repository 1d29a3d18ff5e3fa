/** Parts of a running controller-manager, started in order and stopped in reverse. */
@NullMarked
package dev.mooring.manager.lifecycle;

import org.jspecify.annotations.NullMarked;
