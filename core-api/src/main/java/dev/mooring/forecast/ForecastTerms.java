package dev.mooring.forecast;

import dev.mooring.reconcile.Compat;
import java.time.Duration;
import java.time.Instant;

/**
 * Assumptions of forecasts about the cluster.
 *
 * @param deletionDelay delay of volumes without an annotation ({@code --deletion-delay})
 */
public record ForecastTerms(Compat compat, Duration deletionDelay, Instant now) {}
