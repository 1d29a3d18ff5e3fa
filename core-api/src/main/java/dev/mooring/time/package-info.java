/**
 * Time as a port: all code uses {@link dev.mooring.time.Time} for clocks, timers and pauses. May
 * depend on the JDK and {@code thread} only.
 */
@NullMarked
package dev.mooring.time;

import org.jspecify.annotations.NullMarked;
