package dev.mooring.explain;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Reason for the state of one object. An object can have several: it may expand and be deleted at
 * the same time.
 *
 * @param state state shown in lists: Pending, Bound, Terminating
 * @param since start of the state in seconds since the epoch; 0 if unknown
 * @param note the cause with the names and figures of this object
 * @param unseen kinds that could not be read, and what remains open because of that
 */
public record Explanation(
    SubjectRef subject,
    String state,
    long since,
    Cause cause,
    String note,
    NextStep next,
    Evidence evidence,
    List<UnreadableKind> unseen) {

  public static final Comparator<Explanation> PRECEDENCE =
      Comparator.comparing((Explanation e) -> e.cause().rank())
          .thenComparing(e -> e.cause().code());

  public static final Comparator<Explanation> BY_URGENCY =
      Comparator.comparing((Explanation e) -> e.cause().rank())
          .thenComparing(e -> e.since() == 0 ? Long.MAX_VALUE : e.since())
          .thenComparing(e -> e.subject().key());

  public Explanation {
    unseen = List.copyOf(unseen);
  }

  public Explanation with(Evidence newEvidence) {
    return new Explanation(subject, state, since, cause, note, next, newEvidence, unseen);
  }

  public Explanation and(UnreadableKind kind) {
    List<UnreadableKind> kinds = new ArrayList<>(unseen);
    kinds.add(kind);
    return new Explanation(subject, state, since, cause, note, next, evidence, kinds);
  }

  /** Returns whether the object waits or may wait: an unknown cause counts. */
  public boolean waits() {
    return cause.rank() != CauseRank.FINE;
  }
}
