/**
 * Time as a port: {@link dev.mooring.time.Time} is the only way to a clock, a timer or a pause. May
 * depend on the JDK and {@code thread} only.
 */
@NullMarked
package dev.mooring.time;

import org.jspecify.annotations.NullMarked;
