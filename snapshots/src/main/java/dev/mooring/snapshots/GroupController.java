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
  private static final Duration SOON = Duration.ofSeconds(1);

  private final GroupViews views;
  private final ReservedClaims reserved = new ReservedClaims();
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
      SnapshotQueues queues) {
    this.views = new GroupViews(informers);
    this.restores = restores;
    this.facts = new SnapshotFacts(ports.reader());
    this.holdVerifier = new HoldVerifier(ports.reader());
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

  ControllerSpec.Builder declare(ControllerSpec.Builder to) {
    return to.uses(views.groups(), views.contents(), views.classes())
        .on(views.contents(), this::contentChanged)
        .on(views.groups(), this::groupChanged)
        .onChange(views.classes(), this::classChanged)
        .loop(groups, this::sync, PARALLELISM)
        .loop(contents, this::syncContent, PARALLELISM);
  }

  private void groupChanged(Change<GroupSnapshot> change) {
    GroupSnapshot now = change.object();
    groups.add(now.key());
    if (change instanceof Change.Deleted<GroupSnapshot>) {
      reserved.release(now.key());
      views.membersOf(now.key()).forEach(member -> queues.snapshots().add(member.key()));
      views.snapshotsOf(now).forEach(member -> queues.snapshots().add(member.key()));
      // the group may be gone before the status of its last member names it
      views.ofSomeGroup(now.key().namespace()).forEach(one -> queues.snapshots().add(one.key()));
      queues.addHeldClaims(now.key().namespace());
    } else if (!GroupDecider.needsItsClaims(now)) {
      queues.addHeldClaims(now.key().namespace());
    }
  }

  private void contentChanged(Change<GroupSnapshotContent> change) {
    GroupSnapshotContent now = change.object();
    contents.add(now.key());
    if (change.endsCondition(ContentDecider::needsItsVolumes)) {
      queues.addClaimsOf(now.driver(), now.source().volumeHandles());
    }
    groups.add(now.group().key());
    views.ofContent(now.meta().name()).forEach(group -> groups.add(group.key()));
    views.snapshotsNaming(now).forEach(queues.snapshots()::add);
  }

  // A group without a content may wait for the class.
  private void classChanged(Change<GroupSnapshotClass> change) {
    if (!(change instanceof Change.Deleted<GroupSnapshotClass>)) {
      for (GroupSnapshot group : views.groups().snapshot().all()) {
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
    views.ofMember(snapshot).forEach(groups::add);
  }

  void claimChanged(String namespace) {
    views.waiting(namespace).forEach(group -> groups.add(group.key()));
  }

  Membership membership(VolumeSnapshot snapshot, Optional<SnapshotContent> content) {
    return new Membership(
        true,
        content
            .filter(c -> c.belongsTo(snapshot))
            .map(c -> views.nameFor(snapshot.key(), c))
            .orElse(""));
  }

  boolean areSynced() {
    return views.areSynced();
  }

  // Reports whether a group needs the claim. Unknown groups do not count, because the kinds may
  // never be served. A claim that was released too early is held again by its group.
  boolean needs(Claim claim) {
    return views.areSynced() && (reserved.isReserved(claim.key()) || views.anyNeeds(claim));
  }

  private Outcome sync(ObjectKey key) throws InterruptedException {
    Optional<GroupSnapshot> found = views.groups().get(key);
    if (found.isEmpty()) {
      if (reserved.release(key)) { // claims were reserved while it was deleted
        queues.addHeldClaims(key.namespace());
      }
      return Outcome.SETTLED;
    }
    if (!views.areSynced()) {
      return new Outcome.CheckAgain(SOON); // incomplete caches: an absent object may exist
    }
    return found.get().meta().isBeingDeleted()
        ? reconcileDeletion(found.get())
        : reconcile(found.get());
  }

  private Outcome reconcile(GroupSnapshot group) throws InterruptedException {
    GroupView view = views.of(group);
    GroupStep step = DecisionLog.by(GroupDecider.decide(view));
    if (!(step instanceof GroupStep.ReadClaims)) {
      if (reserved.release(group.key())) {
        queues.addHeldClaims(group.key().namespace()); // claims that its content does not name
      }
      return writer.apply(group, step);
    }
    return switch (facts.claims(group)) {
      case ReadResult.Found<List<ObjectKey>>(List<ObjectKey> claims) ->
          createFrom(view.with(views.sources(claims)), claims);
      case ReadResult.Absent<List<ObjectKey>> _ -> Outcome.SETTLED; // a list is always found
      case ReadResult.Failed<List<ObjectKey>>(String message) ->
          new Outcome.Unanswered("listing the claims of group " + group.key() + ": " + message);
    };
  }

  private Outcome createFrom(GroupView view, List<ObjectKey> claims) throws InterruptedException {
    GroupStep step = DecisionLog.by(GroupDecider.decide(view));
    ObjectKey key = view.group().key();
    if (GroupDecider.needsReservation(step)
        ? reserved.reserve(key, claims)
        : reserved.release(key)) {
      queues.addHeldClaims(key.namespace());
    }
    return step instanceof GroupStep.CreateContent
        ? holdVerifier.runIfHeld(
            key, GroupDecider.claims(view), () -> writer.apply(view.group(), step))
        : writer.apply(view.group(), step);
  }

  private Outcome reconcileDeletion(GroupSnapshot group) throws InterruptedException {
    if (!GroupDeletionDecider.isHeld(group)) {
      return Outcome.SETTLED;
    }
    List<VolumeSnapshot> members = views.snapshotsOf(group);
    ReadResult<Optional<VolumeSnapshot>> restored =
        restores.firstRestored(members.stream().filter(m -> !m.meta().isBeingDeleted()).toList());
    if (restored instanceof ReadResult.Failed<Optional<VolumeSnapshot>>(String message)) {
      return new Outcome.Unanswered(
          "reading the claims that restore from group " + group.key() + ": " + message);
    }
    return switch (facts.of(group, restored.found().flatMap(member -> member))) {
      case ReadResult.Found<GroupDeletionFacts>(GroupDeletionFacts found) ->
          writer.apply(group, DecisionLog.by(GroupDeletionDecider.decide(group, members, found)));
      case ReadResult.Absent<GroupDeletionFacts> _ -> Outcome.SETTLED; // facts are always found
      case ReadResult.Failed<GroupDeletionFacts>(String message) ->
          new Outcome.Unanswered(
              "reading whether group " + group.key() + " can be released: " + message);
    };
  }

  private Outcome syncContent(ObjectKey key) throws InterruptedException {
    Optional<GroupSnapshotContent> content = views.contents().get(key);
    return content.isPresent() ? writer.content(content.get()) : Outcome.SETTLED;
  }
}
