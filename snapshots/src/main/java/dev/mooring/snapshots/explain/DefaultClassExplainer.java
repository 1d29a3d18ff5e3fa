package dev.mooring.snapshots.explain;

import dev.mooring.explain.Cause;
import dev.mooring.explain.ClusterView;
import dev.mooring.explain.Explainer;
import dev.mooring.explain.Explainer.Detail;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.SubjectRef;
import dev.mooring.model.GroupSnapshotClass;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Resource;
import dev.mooring.model.SnapshotClass;
import dev.mooring.snapshots.decide.SnapshotFinding;
import dev.mooring.snapshots.decide.SnapshotReason;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;

/** Explains the classes of snapshots, or of groups: whether the default of a driver is unique. */
record DefaultClassExplainer<C extends Resource>(
    ClusterView clusterView, Kind<C> classKind, Function<C, ClassFacts> facts)
    implements Explainer {
  record ClassFacts(String driver, ReclaimPolicy policy, boolean isDefault) {}

  static DefaultClassExplainer<SnapshotClass> ofSnapshots(ClusterView clusterView) {
    return new DefaultClassExplainer<>(
        clusterView,
        Kind.SNAPSHOT_CLASS,
        c -> new ClassFacts(c.driver(), c.policy(), c.isDefault()));
  }

  static DefaultClassExplainer<GroupSnapshotClass> ofGroups(ClusterView clusterView) {
    return new DefaultClassExplainer<>(
        clusterView,
        Kind.GROUP_SNAPSHOT_CLASS,
        c -> new ClassFacts(c.driver(), c.policy(), c.isDefault()));
  }

  @Override
  public Kind<?> kind() {
    return classKind;
  }

  @Override
  public List<Cause> catalogue() {
    return SnapshotText.catalogue();
  }

  @Override
  public List<Explanation> explain(ObjectKey key, Detail detail) {
    Optional<C> found = clusterView.informer(classKind).get(key);
    return found.map(this::explain).stream().toList();
  }

  private Explanation explain(C snapshotClass) {
    ClassFacts classFacts = facts.apply(snapshotClass);
    TreeSet<String> defaults = new TreeSet<>();
    for (C other : clusterView.informer(classKind).snapshot().objects()) {
      ClassFacts otherFacts = facts.apply(other);
      if (otherFacts.isDefault() && otherFacts.driver().equals(classFacts.driver())) {
        defaults.add(other.meta().name());
      }
    }
    boolean isAmbiguous = classFacts.isDefault() && defaults.size() > 1;
    return SnapshotText.explain(
        new SubjectRef(classKind, snapshotClass.key()),
        snapshotClass.meta(),
        isAmbiguous
            ? new SnapshotFinding(
                SnapshotReason.SNAPSHOT_CLASS_AMBIGUOUS, String.join(", ", defaults))
            : new SnapshotFinding(SnapshotReason.SNAPSHOT_CLASS_READY, ""),
        SnapshotText.evidence(
            List.of(
                SnapshotText.fact("Driver", classFacts.driver()),
                SnapshotText.fact("Deletion policy", classFacts.policy().toString()),
                SnapshotText.fact("Default", classFacts.isDefault() ? "yes" : "no"))));
  }
}
