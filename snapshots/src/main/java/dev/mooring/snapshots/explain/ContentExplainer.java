package dev.mooring.snapshots.explain;

import dev.mooring.explain.Cause;
import dev.mooring.explain.ClusterView;
import dev.mooring.explain.Explainer;
import dev.mooring.explain.Explainer.Detail;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.SubjectRef;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Resource;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.VolumeSnapshot.Problem;
import dev.mooring.snapshots.decide.SnapshotFinding;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Explains the contents of snapshots, or of groups. */
record ContentExplainer<C extends Resource>(
    ClusterView clusterView, Kind<C> contentKind, Function<C, ContentFacts> facts)
    implements Explainer {
  /**
   * Facts about a content of either kind.
   *
   * @param finding why it is in its state, if it is not being deleted
   * @param finalizer finalizer that the driver's part removes
   */
  record ContentFacts(
      SnapshotFinding finding,
      String finalizer,
      ObjectKey owner,
      Problem problem,
      DriverFacts driver) {}

  record DriverFacts(String name, ReclaimPolicy policy, String handle) {}

  static ContentExplainer<SnapshotContent> ofSnapshots(ClusterView clusterView) {
    return new ContentExplainer<>(
        clusterView,
        Kind.SNAPSHOT_CONTENT,
        content ->
            new ContentFacts(
                SnapshotFinding.ofContent(content),
                SnapshotContent.BOUND_PROTECTION,
                content.snapshot().key(),
                content.status().problem(),
                new DriverFacts(content.driver(), content.policy(), content.status().handle())));
  }

  static ContentExplainer<GroupSnapshotContent> ofGroups(ClusterView clusterView) {
    return new ContentExplainer<>(
        clusterView,
        Kind.GROUP_SNAPSHOT_CONTENT,
        content ->
            new ContentFacts(
                SnapshotFinding.ofContent(content),
                GroupSnapshotContent.BOUND_PROTECTION,
                content.group().key(),
                content.status().problem(),
                new DriverFacts(content.driver(), content.policy(), content.status().handle())));
  }

  @Override
  public Kind<?> kind() {
    return contentKind;
  }

  @Override
  public List<Cause> catalogue() {
    return SnapshotText.catalogue();
  }

  @Override
  public List<Explanation> explain(ObjectKey key, Detail detail) throws InterruptedException {
    Optional<C> content = clusterView.informer(contentKind).get(key);
    if (content.isEmpty()) {
      return List.of();
    }
    Explanation explanation = explain(content.get().meta(), facts.apply(content.get()));
    return List.of(
        detail == Detail.EVIDENCE && contentKind.equals(Kind.SNAPSHOT_CONTENT)
            ? explanation.withEvidence(
                SnapshotText.addPlaces(explanation.evidence(), clusterView.reader(), key.name()))
            : explanation);
  }

  private Explanation explain(Meta meta, ContentFacts content) {
    SnapshotFinding finding =
        meta.isBeingDeleted()
            ? SnapshotFinding.ofDeletion(
                "", meta.finalizers().contains(content.finalizer()) ? List.of() : meta.finalizers())
            : content.finding();
    return SnapshotText.explain(
        new SubjectRef(contentKind, meta.key()),
        meta,
        finding,
        SnapshotText.evidence(
            List.of(
                SnapshotText.fact("Belongs to", content.owner().toString()),
                SnapshotText.fact("Driver", content.driver().name()),
                SnapshotText.fact("Deletion policy", content.driver().policy().toString()),
                SnapshotText.fact("Handle", content.driver().handle())),
            content.problem()));
  }
}
