package dev.mooring.manager.console;

import dev.mooring.console.view.ClusterSnapshot;
import dev.mooring.explain.ClusterView;
import dev.mooring.explain.Explainer.Detail;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.UnreadableKind;
import dev.mooring.manager.explain.ClusterExplainers;
import dev.mooring.manager.explain.WaitingObjectScan;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import java.util.ArrayList;
import java.util.List;

/** Snapshot with explanations by the rules of {@code mooring explain}. Not thread-safe. */
final class ExplainedSnapshot implements ClusterSnapshot {
  private final ClusterView clusterView;
  private final ClusterExplainers explainers;
  private final WaitingObjectScan scan;

  ExplainedSnapshot(ClusterView clusterView, ClusterExplainers explainers) {
    this.clusterView = clusterView;
    this.explainers = explainers;
    this.scan = new WaitingObjectScan(clusterView, List.of(explainers), "");
  }

  @Override
  public ClusterView clusterView() {
    return clusterView;
  }

  @Override
  public List<Explanation> explain(Kind<?> kind, ObjectKey key) throws InterruptedException {
    return explainers.explain(kind, key, Detail.EVIDENCE);
  }

  @Override
  public List<Explanation> explainWaiting(Kind<?> kind, ObjectKey key) throws InterruptedException {
    return scan.evaluate(kind, key);
  }

  @Override
  public List<UnreadableKind> unseen() {
    List<UnreadableKind> unreadable = new ArrayList<>();
    for (Kind<?> kind : ClusterExplainers.EXPLAINED_KINDS) {
      if (ClusterExplainers.MAIN_KINDS.contains(kind)) {
        clusterView
            .readError(kind)
            .ifPresent(message ->
                unreadable.add(
                    new UnreadableKind(kind, message, "which " + kind.plural() + " wait")));
      } else {
        scan.isSkipped(kind); // records the kind as unseen
      }
    }
    unreadable.addAll(scan.unseen());
    return unreadable;
  }
}
