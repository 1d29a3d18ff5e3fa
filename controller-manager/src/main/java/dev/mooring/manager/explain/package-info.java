/**
 * Explanations of a cluster without running controllers: reads the cluster, calls the controllers'
 * explainers, and formats the answers.
 */
@NullMarked
package dev.mooring.manager.explain;

import org.jspecify.annotations.NullMarked;
