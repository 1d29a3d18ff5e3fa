/**
 * Shared test support for plugins and controllers: builders of model objects, contracts of plugins
 * and clusters, an in-memory cluster, and simulated time.
 */
@NullMarked
package dev.mooring.testkit;

import org.jspecify.annotations.NullMarked;
