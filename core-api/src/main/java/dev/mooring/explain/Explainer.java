package dev.mooring.explain;

import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import java.util.List;

/**
 * Explains objects of one kind with the controller's own decisions. Writes nothing. An instance
 * belongs to one {@link ClusterView} and one thread.
 */
public interface Explainer {
  enum Detail {
    /** State, cause and next step only: cheap enough for every object of a cluster. */
    SUMMARY,
    EVIDENCE
  }

  Kind<?> kind();

  List<Cause> catalogue();

  /**
   * Explains one object of the view. May send live reads to the server.
   *
   * @return empty if the object is absent or this controller has nothing to report
   * @throws InterruptedException if interrupted during a live read
   */
  List<Explanation> explain(ObjectKey key, Detail detail) throws InterruptedException;
}
