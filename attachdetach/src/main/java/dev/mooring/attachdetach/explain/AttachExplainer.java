package dev.mooring.attachdetach.explain;

import dev.mooring.explain.Cause;
import dev.mooring.explain.ClusterView;
import dev.mooring.explain.Explainer;
import dev.mooring.model.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

abstract class AttachExplainer implements Explainer {
  private final Kind<?> kind;
  private final ClusterView clusterView;
  private final Supplier<SnapshotStates> states;

  AttachExplainer(Kind<?> kind, ClusterView clusterView, Supplier<SnapshotStates> states) {
    this.kind = kind;
    this.clusterView = clusterView;
    this.states = states;
  }

  @Override
  public final Kind<?> kind() {
    return kind;
  }

  @Override
  public final List<Cause> catalogue() {
    return Arrays.stream(AttachReason.values()).map(AttachReason::cause).toList();
  }

  final ClusterView clusterView() {
    return clusterView;
  }

  final SnapshotStates states() {
    return states.get();
  }
}
