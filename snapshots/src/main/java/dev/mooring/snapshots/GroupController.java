package dev.mooring.snapshots;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.DecisionLog;
import dev.mooring.cluster.ReadResult;
import dev.mooring.informer.Change;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Claim;
import dev.mooring.model.GroupSnapshot;
import dev.mooring.model.GroupSnapshotClass;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.reconcile.Outcome;
import dev.mooring.snapshots.decide.ContentDecider;
import dev.mooring.snapshots.decide.GroupDecider;
import dev.mooring.snapshots.decide.GroupDeletionDecider;
import dev.mooring.snapshots.decide.GroupDeletionDecider.GroupDeletionFacts;
import dev.mooring.snapshots.decide.GroupStep;
import dev.mooring.snapshots.decide.GroupView;
import dev.mooring.snapshots.decide.SnapshotView.Membership;
import dev.mooring.snapshots.execute.GroupWriter;
import dev.mooring.snapshots.execute.HoldVerifier;
import dev.mooring.snapshots.execute.SnapshotFacts;
import dev.mooring.snapshots.observe.SnapshotQueues;
import dev.mooring.snapshots.state.GroupViews;
import dev.mooring.snapshots.state.PendingRestores;
import dev.mooring.snapshots.state.ReservedClaims;
import dev.mooring.storage.ServedNamespace;
import dev.mooring.workqueue.WorkQueue;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Group snapshot part of the snapshot controller. Creates or finds the content of each group,
 * creates a VolumeSnapshot and its content for each member, and removes finalizers in order. It is
 * separate from {@link SnapshotController}, because a cluster may lack the kinds.
 */
final class GroupController {
  private static final int PARALLELISM = 10;
  private static final Duration RECHECK_DELAY = Duration.ofSeconds(1);

  private final GroupViews views;
  private final ReservedClaims reservedClaims = new ReservedClaims();
  private final PendingRestores restores;
  private final SnapshotFacts facts;
  private final HoldVerifier holdVerifier;
  private final GroupWriter writer;
  private final WorkQueue<ObjectKey> groups;
  private final WorkQueue<ObjectKey> contents;
  private final SnapshotQueues queues;

  GroupController(
      SharedInformers informers,
      ClusterPorts ports,
      PendingRestores restores,
      HoldVerifier holdVerifier,
      SnapshotQueues queues) {
    this.views = new GroupViews(informers);
    this.restores = restores;
    this.facts = new SnapshotFacts(ports.reader());
    this.holdVerifier = holdVerifier;
    this.writer = new GroupWriter(ports.writer(), ports.events(), ports.time());
    this.groups =
        WorkQueue.fair("snapshot-controller-group-snapshot", ports.time(), ObjectKey::namespace);
    this.contents =
        WorkQueue.fair(
            "snapshot-controller-group-content",
            ports.time(),
            key -> views.contents().get(key).map(ServedNamespace::of).orElse(""));
    this.queues = queues;
  }

  ControllerSpec.Builder declare(ControllerSpec.Builder spec) {
    return spec.uses(
            "the snapshot controller's part for groups",
            views.groups(),
            views.contents(),
            views.classes())
        .addHandler(views.contents(), this::contentChanged)
        .addHandler(views.groups(), this::groupChanged)
        .addChangeHandler(views.classes(), this::classChanged)
        .loop(groups, this::sync, PARALLELISM)
        .loop(contents, this::syncContent, PARALLELISM);
  }

  private void groupChanged(Change<GroupSnapshot> change) {
    GroupSnapshot group = change.object();
    groups.add(group.key());
    if (change instanceof Change.Deleted<GroupSnapshot>) {
      reservedClaims.release(group.key());
      views.findByGroup(group.key()).forEach(member -> queues.snapshots().add(member.key()));
      views.findSnapshots(group).forEach(member -> queues.snapshots().add(member.key()));
      // the group may be gone before the status of its last member names it
      views
          .findUnassignedMembers(group.key().namespace())
          .forEach(snapshot -> queues.snapshots().add(snapshot.key()));
      queues.addHeldClaims(group.key().namespace());
    } else if (!GroupDecider.needsItsClaims(group)) {
      queues.addHeldClaims(group.key().namespace());
    }
  }

  private void contentChanged(Change<GroupSnapshotContent> change) {
    GroupSnapshotContent content = change.object();
    contents.add(content.key());
    if (change.endsCondition(ContentDecider::needsItsVolumes)) {
      queues.addClaimsOf(content.driver(), content.source().volumeHandles());
    }
    groups.add(content.group().key());
    views.findByContent(content.meta().name()).forEach(group -> groups.add(group.key()));
    views.findSnapshotsNaming(content).forEach(queues.snapshots()::add);
  }

  // A group without a content may wait for the class.
  private void classChanged(Change<GroupSnapshotClass> change) {
    if (!(change instanceof Change.Deleted<GroupSnapshotClass>)) {
      for (GroupSnapshot group : views.groups().snapshot().objects()) {
        if (group.status().content().isEmpty()) {
          groups.add(group.key());
        }
      }
    }
  }

  void snapshotChanged(VolumeSnapshot snapshot) {
    memberChanged(snapshot.key());
    if (!snapshot.status().group().isEmpty()) {
      groups.add(new ObjectKey(snapshot.key().namespace(), snapshot.status().group()));
    }
  }

  void memberChanged(ObjectKey snapshot) {
    views.findGroupsOfMember(snapshot).forEach(groups::add);
  }

  void claimChanged(String namespace) {
    views.findWaiting(namespace).forEach(group -> groups.add(group.key()));
  }

  Membership findMembership(VolumeSnapshot snapshot, Optional<SnapshotContent> content) {
    return new Membership(
        true,
        content
            .filter(c -> c.belongsTo(snapshot))
            .map(c -> views.findGroupName(snapshot.key(), c))
            .orElse(""));
  }

  boolean areSynced() {
    return views.areSynced();
  }

  // Reports whether a group needs the claim. Groups that are not in the cache yet do not count,
  // because the API server may never serve the kinds. If a claim lost its finalizer too early, its
  // group adds the finalizer again.
  boolean needsClaim(Claim claim) {
    return views.areSynced() && (reservedClaims.isReserved(claim.key()) || views.isNeeded(claim));
  }

  private Outcome sync(ObjectKey key) throws InterruptedException {
    Optional<GroupSnapshot> cachedGroup = views.groups().get(key);
    if (cachedGroup.isEmpty()) {
      if (reservedClaims.release(key)) { // it was deleted while its claims were reserved
        queues.addHeldClaims(key.namespace());
      }
      return Outcome.SETTLED;
    }
    if (!views.areSynced()) {
      return new Outcome.CheckAgain(RECHECK_DELAY); // incomplete caches: an absent object may exist
    }
    return cachedGroup.get().meta().isBeingDeleted()
        ? reconcileDeletion(cachedGroup.get())
        : reconcile(cachedGroup.get());
  }

  private Outcome reconcile(GroupSnapshot group) throws InterruptedException {
    GroupView view = views.buildView(group);
    GroupStep step = DecisionLog.recordDecision(GroupDecider.decide(view));
    if (!(step instanceof GroupStep.ReadClaims)) {
      if (reservedClaims.release(group.key())) {
        queues.addHeldClaims(group.key().namespace()); // claims that its content does not name
      }
      return writer.apply(group, step);
    }
    return switch (facts.listClaims(group)) {
      case ReadResult.Found<List<ObjectKey>>(List<ObjectKey> claims) ->
          createContent(view.withClaims(views.findSources(claims)), claims);
      case ReadResult.Absent<List<ObjectKey>> _ -> Outcome.SETTLED; // a list is never absent
      case ReadResult.Failed<List<ObjectKey>>(String message) ->
          new Outcome.Unanswered("listing the claims of group " + group.key() + ": " + message);
    };
  }

  private Outcome createContent(GroupView view, List<ObjectKey> claims)
      throws InterruptedException {
    GroupStep step = DecisionLog.recordDecision(GroupDecider.decide(view));
    ObjectKey key = view.group().key();
    if (GroupDecider.needsReservation(step)
        ? reservedClaims.reserve(key, claims)
        : reservedClaims.release(key)) {
      queues.addHeldClaims(key.namespace());
    }
    return step instanceof GroupStep.CreateContent
        ? holdVerifier.runIfHeld(
            key, GroupDecider.collectClaims(view), () -> writer.apply(view.group(), step))
        : writer.apply(view.group(), step);
  }

  private Outcome reconcileDeletion(GroupSnapshot group) throws InterruptedException {
    if (!GroupDeletionDecider.isHeld(group)) {
      return Outcome.SETTLED;
    }
    List<VolumeSnapshot> members = views.findSnapshots(group);
    ReadResult<Optional<VolumeSnapshot>> restoredMember =
        restores.findFirstRestored(
            members.stream().filter(m -> !m.meta().isBeingDeleted()).toList());
    if (restoredMember instanceof ReadResult.Failed<Optional<VolumeSnapshot>>(String message)) {
      return new Outcome.Unanswered(
          "reading the claims that restore from group " + group.key() + ": " + message);
    }
    return switch (facts.read(group, restoredMember.toOptional().flatMap(member -> member))) {
      case ReadResult.Found<GroupDeletionFacts>(GroupDeletionFacts deletionFacts) ->
          writer.apply(
              group,
              DecisionLog.recordDecision(
                  GroupDeletionDecider.decide(group, members, deletionFacts)));
      case ReadResult.Absent<GroupDeletionFacts> _ -> Outcome.SETTLED; // facts are never absent
      case ReadResult.Failed<GroupDeletionFacts>(String message) ->
          new Outcome.Unanswered(
              "reading whether group " + group.key() + " may lose its finalizer: " + message);
    };
  }

  private Outcome syncContent(ObjectKey key) throws InterruptedException {
    Optional<GroupSnapshotContent> content = views.contents().get(key);
    return content.isPresent() ? writer.reconcileContent(content.get()) : Outcome.SETTLED;
  }
}
