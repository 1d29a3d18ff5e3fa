/** Event handlers of the populator controllers. */
@NullMarked
package dev.mooring.populator.observe;

import org.jspecify.annotations.NullMarked;
