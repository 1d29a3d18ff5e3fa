package dev.mooring.console.view;

import java.time.Instant;

/**
 * Outage of the API server. Cached data is stale meanwhile.
 *
 * @param since time of detection
 * @param why failed request and error, on one line
 */
public record ApiServerOutage(Instant since, String message) {}
