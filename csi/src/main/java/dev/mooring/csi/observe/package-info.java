/** Turns changes of objects into keys, and updates {@code state}. */
@NullMarked
package dev.mooring.csi.observe;

import org.jspecify.annotations.NullMarked;
