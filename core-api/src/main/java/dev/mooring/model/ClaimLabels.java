package dev.mooring.model;

/**
 * Metadata of a claim including its labels, which {@link Claim} omits. Used to evaluate selectors;
 * never cached.
 *
 * @param meta name, uid and labels
 */
public record ClaimLabels(Meta meta) implements Resource {}
