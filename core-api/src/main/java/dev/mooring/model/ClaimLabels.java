package dev.mooring.model;

/**
 * A claim of which nothing but its metadata is read, its labels with it: {@link Claim} has none.
 * Never cached, for whoever chooses among claims by a selector.
 *
 * @param meta name, uid and labels
 */
public record ClaimLabels(Meta meta) implements Resource {}
