/**
 * Model of explanations: the reason for an object's state, its evidence and the next step.
 * Controllers explain their part with the deciders that they execute. This package contains no
 * decisions, and explainers write nothing.
 *
 * <p>All types are plain values, except {@link dev.mooring.explain.ClusterView}, the view of the
 * cluster.
 */
@NullMarked
package dev.mooring.explain;

import org.jspecify.annotations.NullMarked;
