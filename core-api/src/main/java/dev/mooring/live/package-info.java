/**
 * Questions that a decision asks the API server because no cache may answer them, and the answers.
 * Pure values: deciders return questions, reconcilers read the answers ({@code
 * dev.mooring.cluster.LiveDecisions}). May depend on {@code model}.
 */
@NullMarked
package dev.mooring.live;

import org.jspecify.annotations.NullMarked;
