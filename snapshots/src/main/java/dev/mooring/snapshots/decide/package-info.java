/** Every verdict about snapshots, as pure functions. */
@NullMarked
package dev.mooring.snapshots.decide;

import org.jspecify.annotations.NullMarked;
