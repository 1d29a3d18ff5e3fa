package dev.mooring.explain;

import java.util.List;

/**
 * What an explanation rests on.
 *
 * @param candidates what might have been taken, the nearest first; every one, or none if only a
 *     summary was asked for
 * @param holders what holds the object
 * @param errors the last errors that are known, the newest first
 */
public record Evidence(List<Candidate> candidates, List<Holder> holders, List<String> errors) {
  /** There is none, or only a summary was asked for. */
  public static final Evidence NONE = new Evidence(List.of(), List.of(), List.of());

  public Evidence {
    candidates = List.copyOf(candidates);
    holders = List.copyOf(holders);
    errors = List.copyOf(errors);
  }

  /** These candidates and nothing else. */
  public static Evidence of(List<Candidate> candidates) {
    return new Evidence(candidates, List.of(), List.of());
  }

  /** These holders and nothing else. */
  public static Evidence heldBy(List<Holder> holders) {
    return new Evidence(List.of(), holders, List.of());
  }

  /** The same with these errors. */
  public Evidence withErrors(List<String> last) {
    return new Evidence(candidates, holders, last);
  }
}
