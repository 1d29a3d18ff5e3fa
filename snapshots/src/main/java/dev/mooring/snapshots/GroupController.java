package dev.mooring.snapshots;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.Decided;
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
import dev.mooring.snapshots.decide.GroupDeletionDecider.Facts;
import dev.mooring.snapshots.decide.GroupStep;
import dev.mooring.snapshots.decide.GroupView;
import dev.mooring.snapshots.decide.SnapshotView.Membership;
import dev.mooring.snapshots.execute.GroupFacts;
import dev.mooring.snapshots.execute.GroupWriter;
import dev.mooring.snapshots.execute.HeldClaims;
import dev.mooring.snapshots.observe.Fills;
import dev.mooring.snapshots.observe.GroupHolds;
import dev.mooring.snapshots.observe.GroupViews;
import dev.mooring.storage.ServedNamespace;
import dev.mooring.workqueue.WorkQueue;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The snapshot controller's work on groups of snapshots: makes a content for each group or finds
 * the one that it names, makes a VolumeSnapshot with its content of each snapshot that the driver
 * cut, and lets all of them go in order. A part of {@link SnapshotController}, which may run where
 * there are no kinds of groups.
 */
final class GroupController {
  private static final int PARALLELISM = 10;
  private static final Duration SOON = Duration.ofSeconds(1);

  private final GroupViews views;
  private final GroupHolds holds = new GroupHolds();
  private final Fills fills;
  private final GroupFacts live;
  private final HeldClaims held;
  private final GroupWriter writer;
  private final WorkQueue<ObjectKey> groups;
  private final WorkQueue<ObjectKey> contents;
  private final Wakes wakes;

  /**
   * Has others looked at.
   *
   * @param snapshot a snapshot
   * @param claims the claims of a namespace, which may be let go
   * @param claimsOf the claims of a driver's volumes with those ids, which may be let go
   */
  record Wakes(
      Consumer<ObjectKey> snapshot,
      Consumer<String> claims,
      BiConsumer<String, List<String>> claimsOf) {}

  /**
   * One that does nothing yet.
   *
   * @param fills claims that wait to be filled
   * @param wakes has others looked at
   */
  GroupController(SharedInformers informers, ClusterPorts ports, Fills fills, Wakes wakes) {
    this.views = new GroupViews(informers);
    this.fills = fills;
    this.live = new GroupFacts(ports.reader());
    this.held = new HeldClaims(ports.reader());
    this.writer = new GroupWriter(ports.writer(), ports.events(), ports.time());
    this.groups =
        WorkQueue.fair("snapshot-controller-group-snapshot", ports.time(), ObjectKey::namespace);
    this.contents =
        WorkQueue.fair(
            "snapshot-controller-group-content",
            ports.time(),
            key -> views.contents().get(key).map(ServedNamespace::of).orElse(""));
    this.wakes = wakes;
  }

  /** Adds what it is made of. */
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
      holds.forget(now.key());
      views.membersOf(now.key()).forEach(member -> wakes.snapshot().accept(member.key()));
      views.snapshotsOf(now).forEach(member -> wakes.snapshot().accept(member.key()));
      // it may have gone before the status of its last one was written, and its content with it
      views.ofSomeGroup(now.key().namespace()).forEach(one -> wakes.snapshot().accept(one.key()));
      wakes.claims().accept(now.key().namespace());
    } else if (!GroupDecider.holdsItsClaims(now)) {
      wakes.claims().accept(now.key().namespace());
    }
  }

  private void contentChanged(Change<GroupSnapshotContent> change) {
    GroupSnapshotContent now = change.object();
    contents.add(now.key());
    if (change.ends(ContentDecider::holdsItsVolumes)) {
      wakes.claimsOf().accept(now.driver(), now.source().volumeHandles());
    }
    groups.add(now.group().key());
    views.ofContent(now.meta().name()).forEach(group -> groups.add(group.key()));
    views.cutWith(now).forEach(wakes.snapshot());
  }

  /** Any that has none yet may have waited for it. */
  private void classChanged(Change<GroupSnapshotClass> change) {
    if (!(change instanceof Change.Deleted<GroupSnapshotClass>)) {
      for (GroupSnapshot group : views.groups().snapshot().all()) {
        if (group.status().content().isEmpty()) {
          groups.add(group.key());
        }
      }
    }
  }

  /** A snapshot has changed, which may be a group's. */
  void snapshotChanged(VolumeSnapshot snapshot) {
    memberChanged(snapshot.key());
    if (!snapshot.status().group().isEmpty()) {
      groups.add(new ObjectKey(snapshot.key().namespace(), snapshot.status().group()));
    }
  }

  /** The content of a snapshot of that name has changed, which may be a group's. */
  void memberChanged(ObjectKey snapshot) {
    views.ofMember(snapshot).forEach(groups::add);
  }

  /** A claim or its volume has changed, which a selector may choose. */
  void claimChanged(String namespace) {
    views.waiting(namespace).forEach(group -> groups.add(group.key()));
  }

  /** What a snapshot's content says of its group. */
  Membership membership(VolumeSnapshot snapshot, Optional<SnapshotContent> content) {
    return new Membership(
        true,
        content
            .filter(c -> c.isOf(snapshot))
            .map(c -> views.nameFor(snapshot.key(), c))
            .orElse(""));
  }

  /** Whether it is known which groups there are; a cluster may not have their kinds. */
  boolean areKnown() {
    return views.areKnown();
  }

  /**
   * Whether a claim has to be held for a group. As long as it is not known which groups there are,
   * there may never be any: what is let go too early is held again by its group.
   */
  boolean holds(Claim claim) {
    return views.areKnown() && (holds.has(claim.key()) || views.anyHolds(claim));
  }

  private Outcome sync(ObjectKey key) throws InterruptedException {
    Optional<GroupSnapshot> found = views.groups().get(key);
    if (found.isEmpty()) {
      if (holds.forget(key)) { // its claims were asked for while it went
        wakes.claims().accept(key.namespace());
      }
      return Outcome.SETTLED;
    }
    if (!views.areKnown()) {
      return new Outcome.CheckAgain(SOON); // what is not known is not missing yet
    }
    return found.get().meta().isBeingDeleted() ? goes(found.get()) : lives(found.get());
  }

  private Outcome lives(GroupSnapshot group) throws InterruptedException {
    GroupView view = views.of(group);
    GroupStep step = Decided.by(GroupDecider.decide(view));
    if (!(step instanceof GroupStep.AskForClaims)) {
      if (holds.forget(group.key())) {
        wakes.claims().accept(group.key().namespace()); // those that its content does not name
      }
      return writer.apply(group, step);
    }
    return switch (live.claims(group)) {
      case ReadResult.Found<List<ObjectKey>>(List<ObjectKey> claims) ->
          made(view.with(views.sources(claims)), claims);
      case ReadResult.Absent<List<ObjectKey>> _ -> Outcome.SETTLED; // there is always a list
      case ReadResult.Failed<List<ObjectKey>>(String message) ->
          new Outcome.Unanswered("of which claims group " + group.key() + " is: " + message);
    };
  }

  private Outcome made(GroupView view, List<ObjectKey> claims) throws InterruptedException {
    GroupStep step = Decided.by(GroupDecider.decide(view));
    ObjectKey key = view.group().key();
    if (GroupDecider.goesOn(step) ? holds.hold(key, claims) : holds.forget(key)) {
      wakes.claims().accept(key.namespace());
    }
    return step instanceof GroupStep.CreateContent
        ? held.then(key, GroupDecider.claims(view), () -> writer.apply(view.group(), step))
        : writer.apply(view.group(), step);
  }

  private Outcome goes(GroupSnapshot group) throws InterruptedException {
    if (!GroupDeletionDecider.isHeld(group)) {
      return Outcome.SETTLED;
    }
    List<VolumeSnapshot> members = views.snapshotsOf(group);
    ReadResult<Optional<VolumeSnapshot>> restored =
        fills.fromAny(members.stream().filter(m -> !m.meta().isBeingDeleted()).toList());
    if (restored instanceof ReadResult.Failed<Optional<VolumeSnapshot>>(String message)) {
      return new Outcome.Unanswered("which claims group " + group.key() + " fills: " + message);
    }
    return switch (live.of(group, restored.found().flatMap(member -> member))) {
      case ReadResult.Found<Facts>(Facts facts) ->
          writer.apply(group, Decided.by(GroupDeletionDecider.decide(group, members, facts)));
      case ReadResult.Absent<Facts> _ -> Outcome.SETTLED; // there are always some
      case ReadResult.Failed<Facts>(String message) ->
          new Outcome.Unanswered("whether group " + group.key() + " may go: " + message);
    };
  }

  private Outcome syncContent(ObjectKey key) throws InterruptedException {
    Optional<GroupSnapshotContent> content = views.contents().get(key);
    return content.isPresent() ? writer.content(content.get()) : Outcome.SETTLED;
  }
}
