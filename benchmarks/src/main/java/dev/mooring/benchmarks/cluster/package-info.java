/**
 * Compares volume controllers on a real or embedded cluster: throughput, latency and cost of bursts
 * of work.
 */
@NullMarked
package dev.mooring.benchmarks.cluster;

import org.jspecify.annotations.NullMarked;
