/**
 * Slow jobs that must not occupy a worker: one per key, with back-off after failures. The end of a
 * job returns as a key in a queue, never as a callback into a decision. May depend on {@code time}.
 */
@NullMarked
package dev.mooring.operation;

import org.jspecify.annotations.NullMarked;
