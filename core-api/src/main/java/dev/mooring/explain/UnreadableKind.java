package dev.mooring.explain;

import dev.mooring.model.Kind;

/**
 * Kind that could not be read. Unknown is not absent: explanations leave open what depends on it.
 *
 * @param error error of the server, on one line
 * @param openQuestion question that stays open
 */
public record UnreadableKind(Kind<?> kind, String error, String openQuestion) {}
