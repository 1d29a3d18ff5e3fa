package dev.mooring.explain;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Why one object is as it is, or for what it waits. An object may have several: it may grow and be
 * deleted at once.
 *
 * @param subject what is explained
 * @param state what the object itself says, as people see it in lists: Pending, Bound, Terminating
 * @param since since when it is so, in seconds since the epoch; 0 if that is not known
 * @param cause the reason
 * @param note the reason again, with the names and figures of this very object
 * @param next what happens next, and by whom
 * @param evidence what this rests on
 * @param unseen what could not be read, and what that leaves open
 */
public record Explanation(
    Subject subject,
    String state,
    long since,
    Cause cause,
    String note,
    Next next,
    Evidence evidence,
    List<Unseen> unseen) {

  /** The first rank first; of equals by the code. */
  public static final Comparator<Explanation> PRECEDENCE =
      Comparator.comparing((Explanation e) -> e.cause().rank())
          .thenComparing(e -> e.cause().code());

  /** Of different objects: the first rank first, then who waits longest. */
  public static final Comparator<Explanation> BY_URGENCY =
      Comparator.comparing((Explanation e) -> e.cause().rank())
          .thenComparing(e -> e.since() == 0 ? Long.MAX_VALUE : e.since())
          .thenComparing(e -> e.subject().key());

  public Explanation {
    unseen = List.copyOf(unseen);
  }

  /** The same with other evidence. */
  public Explanation with(Evidence other) {
    return new Explanation(subject, state, since, cause, note, next, other, unseen);
  }

  /** The same with one more thing that could not be read. */
  public Explanation and(Unseen more) {
    List<Unseen> all = new ArrayList<>(unseen);
    all.add(more);
    return new Explanation(subject, state, since, cause, note, next, evidence, all);
  }

  /** Whether somebody or something waits. What cannot be told counts: it may. */
  public boolean waits() {
    return cause.rank() != Rank.FINE;
  }
}
