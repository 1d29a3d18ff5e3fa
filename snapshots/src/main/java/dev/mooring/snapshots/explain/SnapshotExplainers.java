package dev.mooring.snapshots.explain;

import dev.mooring.explain.ClusterView;
import dev.mooring.explain.Explainer;
import dev.mooring.model.Kind;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Explainers of snapshots, groups of snapshots, and their contents and classes. */
public final class SnapshotExplainers {
  public static final Set<Kind<?>> READS = reads();

  private SnapshotExplainers() {}

  private static Set<Kind<?>> reads() {
    Set<Kind<?>> kinds = new HashSet<>(Kind.SNAPSHOT_KINDS);
    kinds.add(Kind.CLAIM);
    kinds.add(Kind.VOLUME);
    return Set.copyOf(kinds);
  }

  public static List<Explainer> of(ClusterView clusterView) {
    return List.of(
        new SnapshotExplainer(clusterView),
        new GroupExplainer(clusterView),
        ContentExplainer.ofSnapshots(clusterView),
        ContentExplainer.ofGroups(clusterView),
        DefaultClassExplainer.ofSnapshots(clusterView),
        DefaultClassExplainer.ofGroups(clusterView));
  }
}
