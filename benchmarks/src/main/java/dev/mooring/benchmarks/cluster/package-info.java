/**
 * What volume controllers do on a cluster, real or embedded, from the moment they are started: one
 * beside the other.
 */
@NullMarked
package dev.mooring.benchmarks.cluster;

import org.jspecify.annotations.NullMarked;
