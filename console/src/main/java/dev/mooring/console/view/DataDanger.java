package dev.mooring.console.view;

/**
 * Danger for the data of a claim, as {@code mooring danger} determines it.
 *
 * @param acts number of ordinary acts that destroy the data: 0 to 3, or "none" if no three acts do
 * @param sequence the acts, as one sentence; "" if there are none
 */
public record DataDanger(String acts, String sequence) {}
