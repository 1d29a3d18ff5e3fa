/**
 * What tests of plugins and controllers share: builders of everything in the model, the contracts
 * that plugins and clusters keep, a cluster in memory that keeps one, simulated time.
 */
@NullMarked
package dev.mooring.testkit;

import org.jspecify.annotations.NullMarked;
