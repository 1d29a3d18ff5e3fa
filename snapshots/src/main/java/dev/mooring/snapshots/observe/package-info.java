/** Turns changes of objects into keys. */
@NullMarked
package dev.mooring.snapshots.observe;

import org.jspecify.annotations.NullMarked;
