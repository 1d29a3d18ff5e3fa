/**
 * Warm-up of a standby: its code runs on an in-memory cluster, so that the JVM has compiled it when
 * the process becomes the leader.
 */
@NullMarked
package dev.mooring.manager.warmup;

import org.jspecify.annotations.NullMarked;
