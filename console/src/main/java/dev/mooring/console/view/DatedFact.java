package dev.mooring.console.view;

import dev.mooring.explain.SubjectRef;

/**
 * Dated fact about an object or one that it uses, for example its creation.
 *
 * @param time seconds since the epoch
 * @param text predicate: "was created"
 */
public record DatedFact(long time, SubjectRef subject, String text) {}
