package dev.mooring.binder.decide;

import dev.mooring.model.Claim;

/** Claim and policy for which volumes are tested. */
public record MatchSubject(Claim claim, BinderPolicy policy) {}
