/**
 * Searches for the shortest sequence of ordinary acts that destroys the data of a claim. After each
 * act the forecasts of the controllers run on a copy of the few relevant objects until nothing
 * changes. Never writes to a cluster.
 */
@NullMarked
package dev.mooring.manager.danger;

import org.jspecify.annotations.NullMarked;
