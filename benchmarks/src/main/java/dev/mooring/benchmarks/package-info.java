/**
 * JMH benchmarks, each with its question and a peer or a bar beside it. Never a test. May see
 * everything.
 */
@NullMarked
package dev.mooring.benchmarks;

import org.jspecify.annotations.NullMarked;
