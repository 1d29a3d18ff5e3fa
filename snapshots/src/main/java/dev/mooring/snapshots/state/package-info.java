/** Looks up objects in the caches, and tracks what caches drop. */
@NullMarked
package dev.mooring.snapshots.state;

import org.jspecify.annotations.NullMarked;
