/**
 * Simulated cloud whose driver limits the rate of calls: compares the adaptive pace of calls with
 * constants that an operator would set. Time is simulated, and a seed repeats a run.
 */
@NullMarked
package dev.mooring.benchmarks.pace;

import org.jspecify.annotations.NullMarked;
