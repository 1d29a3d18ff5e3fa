package dev.mooring.explain;

import java.util.List;
import java.util.function.Function;

/**
 * Facts behind an explanation.
 *
 * @param candidates all candidates, best first; empty in a summary
 * @param holders users and finalizers that keep the object
 * @param errors last known errors, newest first
 * @param facts named facts in display order
 * @param events recent events about the object, newest first, limited in number. Their texts are
 *     untrusted and influence no decision
 * @param because explanations of the objects that the object waits for, the nearest first
 */
public record Evidence(
    List<Candidate> candidates,
    List<ObjectHolder> holders,
    List<String> errors,
    List<NamedFact> facts,
    List<ReportedEvent> events,
    List<Explanation> because) {
  public static final Evidence NONE =
      new Evidence(List.of(), List.of(), List.of(), List.of(), List.of(), List.of());

  private static final int SHOWN_NAMES = 3;

  public Evidence {
    candidates = candidates instanceof LazyList ? candidates : List.copyOf(candidates);
    holders = List.copyOf(holders);
    errors = List.copyOf(errors);
    facts = List.copyOf(facts);
    events = List.copyOf(events);
    because = List.copyOf(because);
  }

  /**
   * Returns evidence that consists of candidates.
   *
   * @param nearest candidates, best first
   * @param candidate runs the checks of one candidate; called at each access, on any thread; must
   *     be deterministic
   */
  public static <T> Evidence of(List<T> nearest, Function<? super T, Candidate> candidate) {
    return NONE.withCandidates(new LazyList<>(nearest, candidate));
  }

  public static Evidence ofHolders(List<ObjectHolder> holders) {
    return new Evidence(List.of(), holders, List.of(), List.of(), List.of(), List.of());
  }

  private Evidence withCandidates(List<Candidate> newCandidates) {
    return new Evidence(newCandidates, holders, errors, facts, events, because);
  }

  public Evidence withBecause(List<Explanation> newBecause) {
    return new Evidence(candidates, holders, errors, facts, events, newBecause);
  }

  public Evidence withErrors(List<String> newest) {
    return new Evidence(candidates, holders, newest, facts, events, because);
  }

  public Evidence withFacts(List<NamedFact> newFacts) {
    return new Evidence(candidates, holders, errors, newFacts, events, because);
  }

  public Evidence withEvents(List<ReportedEvent> newest) {
    return new Evidence(candidates, holders, errors, facts, newest, because);
  }

  public static String abbreviate(List<String> names) {
    return names.size() <= SHOWN_NAMES
        ? String.join(", ", names)
        : String.join(", ", names.subList(0, SHOWN_NAMES))
            + " and "
            + (names.size() - SHOWN_NAMES)
            + " more";
  }

  public Evidence limit(int maxCount) {
    return new Evidence(
        limit(candidates, maxCount),
        limit(holders, maxCount),
        limit(errors, maxCount),
        limit(facts, maxCount),
        limit(events, maxCount),
        because);
  }

  private static <T> List<T> limit(List<T> list, int maxCount) {
    return list.subList(0, Math.min(maxCount, list.size()));
  }
}
