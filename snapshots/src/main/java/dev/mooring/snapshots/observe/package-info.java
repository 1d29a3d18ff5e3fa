/** What is known about a snapshot. */
@NullMarked
package dev.mooring.snapshots.observe;

import org.jspecify.annotations.NullMarked;
