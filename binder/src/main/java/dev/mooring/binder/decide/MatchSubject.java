package dev.mooring.binder.decide;

import dev.mooring.model.Claim;

/**
 * A claim that a volume is looked for, and how it is decided: what a volume is put to may depend on
 * both.
 *
 * @param claim the claim
 * @param policy how the binder decides
 */
public record MatchSubject(Claim claim, Policy policy) {}
