package dev.mooring.snapshots.explain;

import dev.mooring.explain.Cause;
import dev.mooring.explain.ClusterView;
import dev.mooring.explain.Evidence;
import dev.mooring.explain.Explainer;
import dev.mooring.explain.Explainer.Detail;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.SubjectRef;
import dev.mooring.explain.UnreadableKind;
import dev.mooring.model.Claim;
import dev.mooring.model.GroupSnapshot;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.model.VolumeSnapshot.Problem;
import dev.mooring.snapshots.decide.CommonStep;
import dev.mooring.snapshots.decide.DeletionDecider;
import dev.mooring.snapshots.decide.SnapshotFinding;
import dev.mooring.snapshots.decide.SnapshotView;
import dev.mooring.snapshots.decide.SnapshotView.Membership;
import dev.mooring.storage.decide.CondemnationDecider.Terms;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Explains VolumeSnapshots with the decisions of the snapshot controller. */
record SnapshotExplainer(ClusterView clusterView) implements Explainer {
  private static final Map<Kind<?>, String> QUESTIONS =
      Map.of(
          Kind.SNAPSHOT_CONTENT, "whether its content exists",
          Kind.SNAPSHOT_CLASS, "whether its class exists",
          Kind.CLAIM, "whether its claim is bound",
          Kind.VOLUME, "whether its volume exists");

  @Override
  public Kind<?> kind() {
    return Kind.SNAPSHOT;
  }

  @Override
  public List<Cause> catalogue() {
    return SnapshotText.catalogue();
  }

  @Override
  public List<Explanation> explain(ObjectKey key, Detail detail) throws InterruptedException {
    Optional<VolumeSnapshot> snapshot = clusterView.informer(Kind.SNAPSHOT).get(key);
    return snapshot.isPresent() ? List.of(explain(snapshot.get(), detail)) : List.of();
  }

  private Explanation explain(VolumeSnapshot snapshot, Detail detail) throws InterruptedException {
    SubjectRef subject = new SubjectRef(Kind.SNAPSHOT, snapshot.key());
    List<UnreadableKind> unread = clusterView.openQuestions(QUESTIONS);
    if (!unread.isEmpty()) {
      return SnapshotText.explainUnread(subject, snapshot.meta(), unread);
    }
    Optional<SnapshotContent> content = findContent(snapshot);
    SnapshotFinding finding =
        snapshot.meta().isBeingDeleted()
            ? explainDeletion(snapshot, content)
            : SnapshotFinding.of(buildView(snapshot, content));
    Evidence evidence = evidence(snapshot, content);
    return SnapshotText.explain(
        subject,
        snapshot.meta(),
        finding,
        detail == Detail.EVIDENCE && content.isPresent()
            ? SnapshotText.addPlaces(evidence, clusterView.reader(), content.get().meta().name())
            : evidence);
  }

  private Optional<SnapshotContent> findContent(VolumeSnapshot snapshot) {
    String name =
        snapshot.meta().isBeingDeleted()
            ? DeletionDecider.contentName(snapshot)
            : SnapshotView.contentName(snapshot);
    return clusterView.informer(Kind.SNAPSHOT_CONTENT).get(ObjectKey.cluster(name));
  }

  private SnapshotView buildView(VolumeSnapshot snapshot, Optional<SnapshotContent> content) {
    Optional<Claim> claim =
        clusterView
            .informer(Kind.CLAIM)
            .get(new ObjectKey(snapshot.key().namespace(), snapshot.sourceClaim()));
    return new SnapshotView(
            snapshot,
            content,
            claim,
            claim.flatMap(
                c -> clusterView.informer(Kind.VOLUME).get(ObjectKey.cluster(c.volumeName()))),
            clusterView.informer(Kind.SNAPSHOT_CLASS).snapshot().toList())
        .withMembership(new Membership(true, snapshot.status().group()));
  }

  private SnapshotFinding explainDeletion(
      VolumeSnapshot snapshot, Optional<SnapshotContent> content) {
    if (!DeletionDecider.isHeld(snapshot)) {
      return SnapshotFinding.ofDeletion("", snapshot.meta().finalizers());
    }
    Optional<GroupSnapshot> group =
        clusterView
            .informer(Kind.GROUP_SNAPSHOT)
            .get(new ObjectKey(snapshot.key().namespace(), snapshot.status().group()));
    return DeletionDecider.decide(
                snapshot,
                new DeletionDecider.DeletionFacts(
                    content,
                    Optional.empty(),
                    group,
                    new DeletionDecider.DelayView(Terms.NONE, Instant.EPOCH)))
            instanceof CommonStep.Wait(String _, String message)
        ? SnapshotFinding.ofDeletion(message, List.of())
        : SnapshotFinding.ofDeletion("", List.of());
  }

  private static Evidence evidence(VolumeSnapshot snapshot, Optional<SnapshotContent> content) {
    return SnapshotText.evidence(
        List.of(
            SnapshotText.fact("Source claim", snapshot.sourceClaim()),
            SnapshotText.fact("Class", snapshot.className()),
            SnapshotText.fact("Group", snapshot.status().group()),
            SnapshotText.fact("Content", content.map(c -> c.meta().name()).orElse("")),
            SnapshotText.fact("Driver", content.map(SnapshotContent::driver).orElse(""))),
        snapshot.status().problem(),
        content.map(c -> c.status().problem()).orElse(Problem.NONE));
  }
}
