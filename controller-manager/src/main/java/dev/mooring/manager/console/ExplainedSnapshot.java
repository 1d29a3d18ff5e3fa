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
  private final WaitingObjectScan waits;

  ExplainedSnapshot(ClusterView clusterView, ClusterExplainers explainers) {
    this.clusterView = clusterView;
    this.explainers = explainers;
    this.waits = new WaitingObjectScan(clusterView, explainers, "");
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
  public List<Explanation> waiting(Kind<?> kind, ObjectKey key) throws InterruptedException {
    return waits.evaluate(kind, key);
  }

  @Override
  public List<UnreadableKind> unseen() {
    List<UnreadableKind> all = new ArrayList<>();
    for (Kind<?> kind : ClusterExplainers.KINDS) {
      if (ClusterExplainers.MAIN.contains(kind)) {
        clusterView
            .unseen(kind)
            .ifPresent(
                why -> all.add(new UnreadableKind(kind, why, "which " + kind.plural() + " wait")));
      } else {
        waits.isSkipped(kind); // records the kind as unseen
      }
    }
    all.addAll(waits.unseen());
    return all;
  }
}
