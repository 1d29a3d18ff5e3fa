/**
 * Slow work that must not hold a worker: one run per key, with back-off between failures. The end
 * of a run is a fact that comes back as a key in a queue, never as a call into the middle of a
 * decision. May depend on {@code time}.
 */
@NullMarked
package dev.mooring.operation;

import org.jspecify.annotations.NullMarked;
