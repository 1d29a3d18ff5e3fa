/**
 * Measurements of the whole process: the controller-manager against the embedded server, partly
 * with a slow network between them.
 */
@NullMarked
package dev.mooring.benchmarks.scale;

import org.jspecify.annotations.NullMarked;
