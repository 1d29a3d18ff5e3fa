package dev.mooring.explain;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Reason for the state of one object. An object can have several: it may expand and be deleted at
 * the same time.
 *
 * @param state state shown in lists: Pending, Bound, Terminating
 * @param stateSince start of the state in seconds since the epoch; 0 if unknown
 * @param message the cause with the names and figures of this object
 * @param unreadableKinds kinds that could not be read, and what remains open because of that
 */
public record Explanation(
    SubjectRef subject,
    String state,
    long stateSince,
    Cause cause,
    String message,
    NextStep nextStep,
    Evidence evidence,
    List<UnreadableKind> unreadableKinds) {

  public static final Comparator<Explanation> PRECEDENCE =
      Comparator.comparing((Explanation e) -> e.cause().rank())
          .thenComparing(e -> e.cause().code());

  public static final Comparator<Explanation> BY_URGENCY =
      Comparator.comparing((Explanation e) -> e.cause().rank())
          .thenComparing(e -> e.stateSince() == 0 ? Long.MAX_VALUE : e.stateSince())
          .thenComparing(e -> e.subject().key());

  public Explanation {
    unreadableKinds = List.copyOf(unreadableKinds);
  }

  public Explanation withEvidence(Evidence newEvidence) {
    return new Explanation(
        subject, state, stateSince, cause, message, nextStep, newEvidence, unreadableKinds);
  }

  public Explanation deepest() {
    return evidence.because().isEmpty() ? this : evidence.because().getLast();
  }

  public Explanation withUnreadable(UnreadableKind kind) {
    List<UnreadableKind> kinds = new ArrayList<>(unreadableKinds);
    kinds.add(kind);
    return new Explanation(subject, state, stateSince, cause, message, nextStep, evidence, kinds);
  }

  /** Returns whether the object waits or may wait: an unknown cause counts. */
  public boolean isWaiting() {
    return cause.rank() != CauseRank.FINE;
  }
}
