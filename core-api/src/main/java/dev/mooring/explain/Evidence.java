package dev.mooring.explain;

import java.util.List;
import java.util.function.Function;

/**
 * What an explanation rests on.
 *
 * @param candidates what might have been taken, the nearest first; every one, or none if only a
 *     summary was asked for
 * @param holders what holds the object
 * @param errors the last errors that are known, the newest first
 * @param measures facts with names, in the order in which they are told
 * @param said what events say of the object, the newest first and no more than are worth reading:
 *     the words of whoever wrote them, which decide nothing here
 */
public record Evidence(
    List<Candidate> candidates,
    List<Holder> holders,
    List<String> errors,
    List<Measure> measures,
    List<Said> said) {
  /** There is none, or only a summary was asked for. */
  public static final Evidence NONE =
      new Evidence(List.of(), List.of(), List.of(), List.of(), List.of());

  private static final int FEW = 3;

  public Evidence {
    candidates = candidates instanceof OnDemand ? candidates : List.copyOf(candidates);
    holders = List.copyOf(holders);
    errors = List.copyOf(errors);
    measures = List.copyOf(measures);
    said = List.copyOf(said);
  }

  /**
   * These candidates and nothing else.
   *
   * @param nearest what they are, the nearest first
   * @param candidate puts one to the tests; called whenever that one is read, by whichever thread,
   *     and always to the same effect
   */
  public static <T> Evidence of(List<T> nearest, Function<? super T, Candidate> candidate) {
    return new Evidence(
        new OnDemand<>(nearest, candidate), List.of(), List.of(), List.of(), List.of());
  }

  /** These holders and nothing else. */
  public static Evidence heldBy(List<Holder> holders) {
    return new Evidence(List.of(), holders, List.of(), List.of(), List.of());
  }

  /** The same with these errors. */
  public Evidence withErrors(List<String> last) {
    return new Evidence(candidates, holders, last, measures, said);
  }

  /** The same with these facts. */
  public Evidence with(List<Measure> facts) {
    return new Evidence(candidates, holders, errors, facts, said);
  }

  /** The same with what events say. */
  public Evidence saying(List<Said> last) {
    return new Evidence(candidates, holders, errors, measures, last);
  }

  /** The first of the names, and how many more there are, as one text. */
  public static String few(List<String> names) {
    return names.size() <= FEW
        ? String.join(", ", names)
        : String.join(", ", names.subList(0, FEW)) + " and " + (names.size() - FEW) + " more";
  }

  /** The same with no more than so many of each. */
  public Evidence first(int most) {
    return new Evidence(
        first(candidates, most),
        first(holders, most),
        first(errors, most),
        first(measures, most),
        first(said, most));
  }

  private static <T> List<T> first(List<T> all, int most) {
    return all.subList(0, Math.min(most, all.size()));
  }
}
