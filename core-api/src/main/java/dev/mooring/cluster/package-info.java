/**
 * The ports through which controllers act on the cluster: write, read live, tell an event; what
 * they have to be allowed there, and what they leave there. Implemented by {@code kube}, by a
 * simulated cluster in tests. Writes are patches with preconditions, never whole objects. May
 * depend on {@code model}.
 */
@NullMarked
package dev.mooring.cluster;

import org.jspecify.annotations.NullMarked;
