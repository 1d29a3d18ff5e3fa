package dev.mooring.explain;

import dev.mooring.model.Kind;

/**
 * A kind that could not be read. Unknown is not absent: what rests on it is left open, and said to
 * be.
 *
 * @param kind the kind
 * @param why what the server said, on one line
 * @param leavesOpen what cannot be told for that reason
 */
public record Unseen(Kind<?> kind, String why, String leavesOpen) {}
