package dev.mooring.console.view;

import dev.mooring.explain.Explanation;
import dev.mooring.explain.Sight;
import dev.mooring.explain.Unseen;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import java.util.List;

/** Snapshot of a cluster and its explanations. Not thread-safe. */
public interface ClusterSnapshot {
  Sight sight();

  /**
   * Returns the full explanations of one object, the most urgent first.
   *
   * @return empty if the object does not exist
   * @throws InterruptedException if the thread is interrupted during a request
   */
  List<Explanation> explain(Kind<?> kind, ObjectKey key) throws InterruptedException;

  /**
   * Returns the short explanations of one object, by the rules of {@code mooring explain -A}.
   *
   * @return empty if the object is not waiting
   * @throws InterruptedException if the thread is interrupted during a request
   */
  List<Explanation> waiting(Kind<?> kind, ObjectKey key) throws InterruptedException;

  List<Unseen> unseen();
}
