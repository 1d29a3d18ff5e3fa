package dev.mooring.binder.decide;

import dev.mooring.model.Claim;

public record MatchSubject(Claim claim, BinderPolicy policy) {}
