/**
 * Why an object is as it is, or for what it waits: the model of an explanation, and who can give
 * one. Every controller explains its own part with the code that decides for real; nothing here
 * decides, and nobody who explains writes anything.
 *
 * <p>Plain values, but for {@link dev.mooring.explain.Sight}, which is what could be seen of the
 * cluster.
 */
@NullMarked
package dev.mooring.explain;

import org.jspecify.annotations.NullMarked;
