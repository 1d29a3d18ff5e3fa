package dev.mooring.console.view;

import dev.mooring.explain.ClusterView;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.UnreadableKind;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import java.util.List;

/** Snapshot of a cluster and its explanations. Not thread-safe. */
public interface ClusterSnapshot {
  ClusterView clusterView();

  List<Explanation> explain(Kind<?> kind, ObjectKey key) throws InterruptedException;

  List<Explanation> explainWaiting(Kind<?> kind, ObjectKey key) throws InterruptedException;

  List<UnreadableKind> unseen();
}
