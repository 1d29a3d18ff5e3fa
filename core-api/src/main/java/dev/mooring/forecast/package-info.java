/**
 * Values for forecasts: controllers predict their next step on a few objects with the deciders that
 * they run, without a cluster. May depend on {@code model} and {@code live}.
 */
@NullMarked
package dev.mooring.forecast;

import org.jspecify.annotations.NullMarked;
