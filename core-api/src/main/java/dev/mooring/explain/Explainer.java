package dev.mooring.explain;

import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import java.util.List;

/**
 * A controller that explains objects of one kind, from what it would decide about them. It writes
 * nothing. Made for one {@link Sight}, used by one thread.
 */
public interface Explainer {
  /** How much of the evidence is wanted. */
  enum Detail {
    /** Whether, why, and what next: cheap enough for every object of a cluster. */
    SUMMARY,
    /** Everything. */
    EVIDENCE
  }

  /** The kind that it explains. */
  Kind<?> kind();

  /** Every reason that it may give, in the order in which the catalogue lists them. */
  List<Cause> catalogue();

  /**
   * Explains one object that is in sight. May ask the server what no list may answer.
   *
   * @return nothing if this controller has nothing to say about the object, or it is not there
   * @throws InterruptedException if the thread is interrupted while the server is asked
   */
  List<Explanation> explain(ObjectKey key, Detail detail) throws InterruptedException;
}
