/**
 * Whole-process measurements: the controller-manager against the embedded server, with a network
 * between them.
 */
@NullMarked
package dev.mooring.benchmarks.scale;

import org.jspecify.annotations.NullMarked;
