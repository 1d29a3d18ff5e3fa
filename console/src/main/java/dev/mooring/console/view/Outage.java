package dev.mooring.console.view;

import java.time.Instant;

/**
 * The API server does not answer: what is known of the cluster is old.
 *
 * @param since when that was noticed
 * @param why what was tried, and how it failed, on one line
 */
public record Outage(Instant since, String why) {}
