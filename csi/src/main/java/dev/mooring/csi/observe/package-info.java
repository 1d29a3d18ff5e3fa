/** Turns changes of objects into keys, and records in {@code state} what they mean. */
@NullMarked
package dev.mooring.csi.observe;

import org.jspecify.annotations.NullMarked;
