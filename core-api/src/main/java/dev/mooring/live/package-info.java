/**
 * What a decision asks of the server because no cache may answer it, and what the server said. Pure
 * values: decisions see them, and whoever reconciles asks the questions ({@code
 * dev.mooring.cluster.LiveDecisions}). May depend on {@code model}.
 */
@NullMarked
package dev.mooring.live;

import org.jspecify.annotations.NullMarked;
