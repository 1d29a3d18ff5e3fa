package dev.mooring.snapshots.explain;

import dev.mooring.cluster.ReadResult;
import dev.mooring.explain.Cause;
import dev.mooring.explain.ClusterView;
import dev.mooring.explain.Evidence;
import dev.mooring.explain.Explainer;
import dev.mooring.explain.Explainer.Detail;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.SubjectRef;
import dev.mooring.explain.UnreadableKind;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimLabels;
import dev.mooring.model.GroupSnapshot;
import dev.mooring.model.GroupSnapshotClass;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.model.VolumeSnapshot.Problem;
import dev.mooring.snapshots.decide.CommonStep;
import dev.mooring.snapshots.decide.GroupDecider;
import dev.mooring.snapshots.decide.GroupDeletionDecider;
import dev.mooring.snapshots.decide.GroupDeletionDecider.GroupDeletionFacts;
import dev.mooring.snapshots.decide.GroupStep;
import dev.mooring.snapshots.decide.GroupView;
import dev.mooring.snapshots.decide.SnapshotFinding;
import dev.mooring.snapshots.decide.SourceClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Explains VolumeGroupSnapshots with the decisions of the snapshot controller. */
record GroupExplainer(ClusterView clusterView) implements Explainer {
  private static final Map<Kind<?>, String> QUESTIONS =
      Map.of(
          Kind.GROUP_SNAPSHOT_CONTENT, "whether its content exists",
          Kind.GROUP_SNAPSHOT_CLASS, "whether its class exists",
          Kind.SNAPSHOT, "which snapshots belong to it",
          Kind.CLAIM, "whether its claims are bound",
          Kind.VOLUME, "whether its volumes exist");

  @Override
  public Kind<?> kind() {
    return Kind.GROUP_SNAPSHOT;
  }

  @Override
  public List<Cause> catalogue() {
    return SnapshotText.catalogue();
  }

  @Override
  public List<Explanation> explain(ObjectKey key, Detail detail) throws InterruptedException {
    Optional<GroupSnapshot> group = clusterView.informer(Kind.GROUP_SNAPSHOT).get(key);
    return group.isPresent() ? List.of(explain(group.get())) : List.of();
  }

  private Explanation explain(GroupSnapshot group) throws InterruptedException {
    SubjectRef subject = new SubjectRef(Kind.GROUP_SNAPSHOT, group.key());
    List<UnreadableKind> unread = clusterView.openQuestions(QUESTIONS);
    if (!unread.isEmpty()) {
      return SnapshotText.explainUnread(subject, group.meta(), unread);
    }
    Optional<GroupSnapshotContent> content = findContent(group);
    List<VolumeSnapshot> members = findMembers(group);
    Evidence evidence = evidence(group, content, members);
    if (group.meta().isBeingDeleted()) {
      return SnapshotText.explain(
          subject, group.meta(), explainDeletion(group, content, members), evidence);
    }
    GroupView view = buildView(group, content);
    if (GroupDecider.decide(view) instanceof GroupStep.ReadClaims) {
      switch (clusterView.reader().list(Kind.CLAIM_LABELS, group.key().namespace())) {
        case ReadResult.Found<List<ClaimLabels>>(List<ClaimLabels> claims) ->
            view = view.withClaims(findSources(group, claims));
        case ReadResult.Absent<List<ClaimLabels>> _ -> {
          // a list is never absent
        }
        case ReadResult.Failed<List<ClaimLabels>>(String message) -> {
          return SnapshotText.explainUnread(
              subject,
              group.meta(),
              List.of(new UnreadableKind(Kind.CLAIM, message, "which claims it selects")));
        }
      }
    }
    return SnapshotText.explain(subject, group.meta(), SnapshotFinding.of(view), evidence);
  }

  private Optional<GroupSnapshotContent> findContent(GroupSnapshot group) {
    String name =
        group.meta().isBeingDeleted()
            ? GroupDeletionDecider.contentName(group)
            : GroupView.contentName(group);
    return clusterView.informer(Kind.GROUP_SNAPSHOT_CONTENT).get(ObjectKey.cluster(name));
  }

  private List<VolumeSnapshot> findMembers(GroupSnapshot group) {
    List<VolumeSnapshot> members = new ArrayList<>();
    for (VolumeSnapshot snapshot : clusterView.informer(Kind.SNAPSHOT).snapshot().objects()) {
      if (snapshot.key().namespace().equals(group.key().namespace())
          && snapshot.status().group().equals(group.key().name())) {
        members.add(snapshot);
      }
    }
    return members;
  }

  private GroupView buildView(GroupSnapshot group, Optional<GroupSnapshotContent> content) {
    List<GroupSnapshotClass> classes =
        clusterView.informer(Kind.GROUP_SNAPSHOT_CLASS).snapshot().toList();
    return new GroupView(group, content, classes, List.of(), List.of(), Optional.empty());
  }

  private List<SourceClaim> findSources(GroupSnapshot group, List<ClaimLabels> claims) {
    return claims.stream()
        .filter(claim -> group.selector().filter(s -> s.matches(claim.meta().labels())).isPresent())
        .map(claim -> claim.meta().key())
        .sorted()
        .map(this::findSource)
        .toList();
  }

  private SourceClaim findSource(ObjectKey key) {
    Optional<Claim> claim = clusterView.informer(Kind.CLAIM).get(key);
    return new SourceClaim(
        key.name(),
        claim,
        claim.flatMap(
            c -> clusterView.informer(Kind.VOLUME).get(ObjectKey.cluster(c.volumeName()))));
  }

  private static SnapshotFinding explainDeletion(
      GroupSnapshot group, Optional<GroupSnapshotContent> content, List<VolumeSnapshot> members) {
    if (!GroupDeletionDecider.isHeld(group)) {
      return SnapshotFinding.ofDeletion("", group.meta().finalizers());
    }
    return GroupDeletionDecider.decide(
                group, members, new GroupDeletionFacts(content, Optional.empty()))
            instanceof CommonStep.Wait(String _, String message)
        ? SnapshotFinding.ofDeletion(message, List.of())
        : SnapshotFinding.ofDeletion("", List.of());
  }

  private static Evidence evidence(
      GroupSnapshot group, Optional<GroupSnapshotContent> content, List<VolumeSnapshot> members) {
    long ready = members.stream().filter(member -> member.status().ready()).count();
    return SnapshotText.evidence(
        List.of(
            SnapshotText.fact("Claims", group.selector().map(Object::toString).orElse("")),
            SnapshotText.fact("Class", group.className()),
            SnapshotText.fact("Content", content.map(c -> c.meta().name()).orElse("")),
            SnapshotText.fact("Driver", content.map(GroupSnapshotContent::driver).orElse("")),
            SnapshotText.fact(
                "Snapshots", members.isEmpty() ? "" : ready + " of " + members.size() + " ready")),
        group.status().problem(),
        content.map(c -> c.status().problem()).orElse(Problem.NONE));
  }
}
