package dev.mooring.snapshots;

import com.google.inject.Inject;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.DecisionLog;
import dev.mooring.cluster.ReadResult;
import dev.mooring.informer.Change;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.SnapshotClass;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.reconcile.Outcome;
import dev.mooring.snapshots.decide.ClaimHolders;
import dev.mooring.snapshots.decide.ContentDecider;
import dev.mooring.snapshots.decide.DeletionDecider;
import dev.mooring.snapshots.decide.DeletionDecider.DelayView;
import dev.mooring.snapshots.decide.DeletionDecider.DeletionFacts;
import dev.mooring.snapshots.decide.SnapshotDecider;
import dev.mooring.snapshots.decide.SnapshotStep;
import dev.mooring.snapshots.decide.SnapshotView;
import dev.mooring.snapshots.execute.HoldVerifier;
import dev.mooring.snapshots.execute.SnapshotFacts;
import dev.mooring.snapshots.execute.SnapshotWriter;
import dev.mooring.snapshots.observe.SnapshotQueues;
import dev.mooring.snapshots.state.ClaimReleases;
import dev.mooring.snapshots.state.LiveHolders;
import dev.mooring.snapshots.state.PendingRestores;
import dev.mooring.snapshots.state.SnapshotViews;
import dev.mooring.snapshots.state.VolumeNodes;
import dev.mooring.storage.DeletionClock;
import dev.mooring.storage.DeletionDelay;
import dev.mooring.storage.ServedNamespace;
import dev.mooring.storage.decide.Condemnation;
import dev.mooring.storage.decide.CondemnationDecider.Terms;
import dev.mooring.workqueue.WorkQueue;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Equivalent of external-snapshotter's snapshot controller. Creates or finds the content of each
 * snapshot, copies the content's status to the snapshot, and removes finalizers in order. It never
 * calls a driver; the CSI controllers do. The queues are independent of each other.
 */
public final class SnapshotController {
  public static final String NAME = "snapshot-controller";

  // Delay until the caches have probably caught up.
  private static final Duration RECHECK_DELAY = Duration.ofSeconds(1);

  private static final int PARALLELISM = 10;

  private final SnapshotViews views;
  private final PendingRestores restores;
  private final SnapshotFacts facts;
  private final LiveHolders holders;
  private final ClaimReleases releases = new ClaimReleases();
  private final HoldVerifier holdVerifier;
  private final SnapshotWriter writer;
  private final Duration deletionDelay;
  private final DeletionClock clock;
  private final WorkQueue<ObjectKey> snapshots;
  private final WorkQueue<ObjectKey> contents;
  private final WorkQueue<ObjectKey> claims;
  private final SnapshotQueues queues;
  private final Optional<GroupController> groups;
  private final Optional<VolumeNodes> nodes;

  @Inject
  public SnapshotController(SnapshotConfig config, SharedInformers informers, ClusterPorts ports) {
    this.views = new SnapshotViews(informers);
    this.restores = new PendingRestores(ports.reader());
    this.holders = new LiveHolders(ports.reader(), ports.time());
    this.facts = new SnapshotFacts(ports.reader());
    this.holdVerifier = new HoldVerifier(ports.reader(), releases);
    this.writer = new SnapshotWriter(ports);
    this.deletionDelay = config.deletionDelay();
    this.clock = new DeletionClock(ports);
    this.snapshots =
        WorkQueue.fair("snapshot-controller-snapshot", ports.time(), ObjectKey::namespace);
    this.contents =
        WorkQueue.fair(
            "snapshot-controller-content",
            ports.time(),
            key -> views.contents().get(key).map(ServedNamespace::of).orElse(""));
    this.claims = WorkQueue.fair("snapshot-controller-claim", ports.time(), ObjectKey::namespace);
    this.queues = new SnapshotQueues(views, snapshots, claims);
    this.groups =
        config.groups()
            ? Optional.of(new GroupController(informers, ports, restores, holdVerifier, queues))
            : Optional.empty();
    this.nodes =
        config.distributed()
            ? Optional.of(new VolumeNodes(informers.of(Kind.NODE)))
            : Optional.empty();
  }

  public ControllerSpec spec() {
    ControllerSpec.Builder spec =
        ControllerSpec.builder(NAME)
            .reads(
                views.claims(),
                views.volumes(),
                views.classes(),
                views.contents(),
                views.snapshots());
    nodes.ifPresent(volumeNodes ->
        spec.reads(volumeNodes.nodes()).addChangeHandler(volumeNodes.nodes(), this::nodeChanged));
    spec.addHandler(views.claims(), this::claimChanged)
        .addHandler(views.contents(), this::contentChanged)
        .addHandler(views.snapshots(), this::snapshotChanged)
        .addChangeHandler(views.volumes(), this::volumeChanged)
        .addChangeHandler(views.classes(), this::classChanged)
        .loop(snapshots, this::sync, PARALLELISM)
        .loop(contents, this::syncContent, PARALLELISM)
        .loop(claims, this::syncClaim, PARALLELISM);
    groups.ifPresent(g -> g.declare(spec));
    return spec.build();
  }

  private void snapshotChanged(Change<VolumeSnapshot> change) {
    snapshots.add(change.key());
    VolumeSnapshot snapshot = change.object();
    groups.ifPresent(g -> g.snapshotChanged(snapshot));
    if (!snapshot.sourceClaim().isEmpty()
        && (change instanceof Change.Deleted<VolumeSnapshot>
            || !ContentDecider.needsItsClaim(snapshot))) {
      claims.add(SnapshotViews.claimOf(snapshot));
    }
  }

  private void contentChanged(Change<SnapshotContent> change) {
    SnapshotContent content = change.object();
    contents.add(content.key());
    snapshots.add(content.snapshot().key());
    groups.ifPresent(g -> g.memberChanged(content.snapshot().key()));
    if (change.endsCondition(ContentDecider::needsItsVolume)) {
      queues.addClaimsOf(content.driver(), List.of(content.source().volumeHandle()));
    }
    views.findByContent(content.meta().name()).forEach(snapshot -> snapshots.add(snapshot.key()));
  }

  private void claimChanged(Change<Claim> change) {
    Claim claim = change.object();
    restores.update(change).forEach(this::restoreEnded);
    trackDeletion(change);
    groups.ifPresent(g -> g.claimChanged(claim.key().namespace()));
    queues.addSnapshotsOf(claim.key());
    if (claim.meta().finalizers().contains(VolumeSnapshot.CLAIM_PROTECTION)) {
      claims.add(claim.key());
    }
  }

  // A claim no longer waits for a restore from the snapshot.
  private void restoreEnded(ObjectKey snapshot) {
    snapshots.add(snapshot);
    views.snapshots().get(snapshot).ifPresent(s -> groups.ifPresent(g -> g.snapshotChanged(s)));
  }

  private void trackDeletion(Change<Claim> change) {
    Claim claim = change.object();
    if (change instanceof Change.Deleted<Claim>
        || !claim.meta().finalizers().contains(VolumeSnapshot.CLAIM_PROTECTION)) {
      holders.forget(claim.key());
    } else if (claim.meta().isBeingDeleted()) {
      holders.trackDeletion(claim);
    }
  }

  private void volumeChanged(Change<Volume> change) {
    ClaimRef ref = change.object().claimRef();
    if (ref != null) {
      queues.addSnapshotsOf(ref.claim());
      groups.ifPresent(g -> g.claimChanged(ref.claim().namespace()));
    }
  }

  private void classChanged(Change<SnapshotClass> change) {
    if (!(change instanceof Change.Deleted<SnapshotClass>)) {
      requeueWithoutContent();
    }
  }

  private void nodeChanged(Change<Node> change) {
    boolean mayReachVolume =
        switch (change) {
          case Change.Added<Node> _ -> true;
          case Change.Updated<Node>(Node old, Node current) ->
              !old.meta().labels().equals(current.meta().labels());
          case Change.Deleted<Node> _ -> false;
        };
    if (mayReachVolume) {
      requeueWithoutContent();
    }
  }

  // Such a snapshot may wait for its class, or for a node that reaches its volume.
  private void requeueWithoutContent() {
    views
        .snapshots()
        .snapshot()
        .objects()
        .forEach(snapshot -> {
          if (snapshot.status().content().isEmpty()) {
            snapshots.add(snapshot.key());
          }
        });
  }

  private Outcome sync(ObjectKey key) throws InterruptedException {
    Optional<VolumeSnapshot> cachedSnapshot = views.snapshots().get(key);
    if (cachedSnapshot.isEmpty()) {
      return Outcome.SETTLED;
    }
    VolumeSnapshot snapshot = cachedSnapshot.get();
    if (!snapshot.meta().isBeingDeleted()) {
      return reconcile(snapshot, buildView(snapshot));
    }
    if (!DeletionDecider.isHeld(snapshot) || snapshot.isGroupMember() && groups.isEmpty()) {
      return Outcome.SETTLED;
    }
    return switch (restores.findRestoringClaim(key)) {
      case ReadResult.Found<Optional<ObjectKey>>(Optional<ObjectKey> claim) ->
          reconcileDeletion(snapshot, claim);
      case ReadResult.Absent<Optional<ObjectKey>> _ ->
          Outcome.SETTLED; // the answer is never absent
      case ReadResult.Failed<Optional<ObjectKey>>(String message) ->
          new Outcome.Unanswered(
              "reading the claims that restore from snapshot " + key + ": " + message);
    };
  }

  private Outcome reconcileDeletion(VolumeSnapshot snapshot, Optional<ObjectKey> restoringClaim)
      throws InterruptedException {
    return switch (facts.read(snapshot, restoringClaim, this::viewDelay)) {
      case ReadResult.Found<DeletionFacts>(DeletionFacts deletionFacts) ->
          writer.apply(
              snapshot,
              DecisionLog.recordDecision(DeletionDecider.decide(snapshot, deletionFacts)));
      case ReadResult.Absent<DeletionFacts> _ -> Outcome.SETTLED; // facts are never absent
      case ReadResult.Failed<DeletionFacts>(String message) ->
          new Outcome.Unanswered(
              "reading whether snapshot " + snapshot.key() + " may lose its finalizer: " + message);
    };
  }

  private DelayView viewDelay(Optional<SnapshotContent> content) {
    return new DelayView(
        content
            .map(c ->
                DeletionDelay.terms(
                    c, views.classes().get(ObjectKey.cluster(c.className())), deletionDelay))
            .orElse(Terms.NONE),
        clock.decisionTime(content.filter(Condemnation::isCondemned).isPresent()));
  }

  public long countCondemned() {
    long count = 0;
    for (SnapshotContent content : views.contents().snapshot().objects()) {
      count += ContentDecider.isWaiting(content) ? 1 : 0;
    }
    return count;
  }

  private Outcome reconcile(VolumeSnapshot snapshot, SnapshotView view)
      throws InterruptedException {
    SnapshotStep step = DecisionLog.recordDecision(SnapshotDecider.decide(view));
    return step instanceof SnapshotStep.CreateContent
        ? holdVerifier.runIfHeld(
            snapshot.key(), List.of(view.claim().orElseThrow()), () -> writer.apply(snapshot, step))
        : writer.apply(snapshot, step);
  }

  private SnapshotView buildView(VolumeSnapshot snapshot) {
    SnapshotView view = chooseNode(views.buildView(snapshot));
    return groups
        .map(g -> view.withMembership(g.findMembership(snapshot, view.content())))
        .orElse(view);
  }

  private SnapshotView chooseNode(SnapshotView view) {
    return nodes.isPresent() && view.content().isEmpty() && view.volume().isPresent()
        ? view.withNode(nodes.get().choose(view.volume().get()))
        : view;
  }

  private Outcome syncContent(ObjectKey key) throws InterruptedException {
    Optional<SnapshotContent> content = views.contents().get(key);
    return content.isPresent() ? writer.reconcileContent(content.get()) : Outcome.SETTLED;
  }

  private Outcome syncClaim(ObjectKey key) throws InterruptedException {
    Optional<Claim> claim =
        views
            .claims()
            .get(key)
            .filter(c -> c.meta().finalizers().contains(VolumeSnapshot.CLAIM_PROTECTION));
    return claim.isPresent()
        ? releases.run(key, () -> syncHeldClaim(claim.get()))
        : Outcome.SETTLED;
  }

  private Outcome syncHeldClaim(Claim claim) throws InterruptedException {
    for (VolumeSnapshot snapshot : views.findByClaim(claim.key())) {
      if (ContentDecider.needsItsClaim(snapshot)) {
        return Outcome.SETTLED; // the end of the snapshot requeues the claim
      }
    }
    return views.isNeededByContent(claim) || isNeededByGroup(claim)
        ? Outcome.SETTLED // its end requeues the claim
        : releaseIfUnneeded(claim);
  }

  private boolean isNeededByGroup(Claim claim) {
    return groups.filter(group -> group.needsClaim(claim)).isPresent();
  }

  // The volume of a deleted claim is deleted with it, so the caches do not suffice.
  private Outcome releaseIfUnneeded(Claim claim) throws InterruptedException {
    Optional<Volume> volume =
        claim.meta().isBeingDeleted() ? views.findVolume(claim) : Optional.empty();
    if (volume.isEmpty()) {
      return writer.releaseClaim(claim);
    }
    boolean includesGroups = groups.filter(GroupController::areSynced).isPresent();
    Optional<ReadResult<List<ClaimHolders>>> holdersAnswer =
        holders.read(claim, includesGroups, () -> claims.add(claim.key()));
    return holdersAnswer.isPresent()
        ? releaseIfUnneeded(claim, volume.get(), holdersAnswer.get())
        : Outcome.DEFERRED; // the end of the running list requeues the claim
  }

  private Outcome releaseIfUnneeded(
      Claim claim, Volume volume, ReadResult<List<ClaimHolders>> holdersAnswer)
      throws InterruptedException {
    if (holdersAnswer instanceof ReadResult.Failed<List<ClaimHolders>>(String message)) {
      return new Outcome.Unanswered(
          "reading whether claim " + claim.key() + " may lose its finalizer: " + message);
    }
    boolean isHeld =
        holdersAnswer.toOptional().orElse(List.of()).stream()
            .anyMatch(claimHolders -> claimHolders.contains(claim, volume));
    if (isHeld || isNeededByGroup(claim)) { // checked again after the list
      holders.requireLaterList(claim);
      return new Outcome.CheckAgain(RECHECK_DELAY);
    }
    return writer.releaseClaim(claim);
  }
}
