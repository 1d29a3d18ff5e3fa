/**
 * Benchmarks. Each answers a question and compares the figure with a peer or a limit. May use every
 * module; runs in no test phase.
 */
@NullMarked
package dev.mooring.benchmarks;

import org.jspecify.annotations.NullMarked;
