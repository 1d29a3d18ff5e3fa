/**
 * Copies a cluster into the embedded API server, applies changes, and runs the controllers with
 * simulated nodes and drivers until nothing changes. Never writes to the copied cluster.
 */
@NullMarked
package dev.mooring.manager.simulate;

import org.jspecify.annotations.NullMarked;
