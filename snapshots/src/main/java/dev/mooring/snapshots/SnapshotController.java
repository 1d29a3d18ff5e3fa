package dev.mooring.snapshots;

import com.google.inject.Inject;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.Decided;
import dev.mooring.cluster.ReadResult;
import dev.mooring.informer.Change;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
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
import dev.mooring.snapshots.decide.DeletionDecider.Facts;
import dev.mooring.snapshots.decide.SnapshotDecider;
import dev.mooring.snapshots.decide.SnapshotStep;
import dev.mooring.snapshots.decide.SnapshotView;
import dev.mooring.snapshots.execute.GroupFacts;
import dev.mooring.snapshots.execute.HeldClaims;
import dev.mooring.snapshots.execute.SnapshotFacts;
import dev.mooring.snapshots.execute.SnapshotWriter;
import dev.mooring.snapshots.observe.Fills;
import dev.mooring.snapshots.observe.LiveHolders;
import dev.mooring.snapshots.observe.SnapshotViews;
import dev.mooring.storage.ServedNamespace;
import dev.mooring.workqueue.WorkQueue;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What external-snapshotter's snapshot controller does: makes a content for each snapshot or finds
 * the one that it names, shows what the driver said about it, and lets both go in order. The driver
 * itself is asked by others. Each queue's keys are worked on independently.
 */
public final class SnapshotController {
  /** Its name in {@code --controllers}. */
  public static final String NAME = "snapshot-controller";

  /** Until caches know what the server has said. */
  private static final Duration SOON = Duration.ofSeconds(1);

  private static final int PARALLELISM = 10;

  private final SnapshotViews views;
  private final Fills fills;
  private final SnapshotFacts live;
  private final LiveHolders holders;
  private final HeldClaims held;
  private final SnapshotWriter writer;
  private final WorkQueue<ObjectKey> snapshots;
  private final WorkQueue<ObjectKey> contents;
  private final WorkQueue<ObjectKey> claims;
  private final Optional<GroupController> groups;

  /** A controller that does nothing yet. */
  @Inject
  public SnapshotController(SnapshotConfig config, SharedInformers informers, ClusterPorts ports) {
    this.views = new SnapshotViews(informers);
    this.fills = new Fills(ports.reader());
    this.holders = new LiveHolders(ports.reader(), ports.time());
    this.live = new SnapshotFacts(ports.reader(), new GroupFacts(ports.reader()));
    this.held = new HeldClaims(ports.reader());
    this.writer = new SnapshotWriter(ports.writer(), ports.events(), ports.time());
    this.snapshots =
        WorkQueue.fair("snapshot-controller-snapshot", ports.time(), ObjectKey::namespace);
    this.contents =
        WorkQueue.fair(
            "snapshot-controller-content",
            ports.time(),
            key -> views.contents().get(key).map(ServedNamespace::of).orElse(""));
    this.claims = WorkQueue.fair("snapshot-controller-claim", ports.time(), ObjectKey::namespace);
    this.groups =
        config.groups()
            ? Optional.of(
                new GroupController(
                    informers,
                    ports,
                    fills,
                    new GroupController.Wakes(snapshots::add, this::letGo, this::volumesLetGo)))
            : Optional.empty();
  }

  /** What it is made of, to be run once. */
  public ControllerSpec spec() {
    ControllerSpec.Builder spec =
        ControllerSpec.named(NAME)
            .reads(
                views.claims(),
                views.volumes(),
                views.classes(),
                views.contents(),
                views.snapshots())
            .on(views.claims(), this::claimChanged)
            .on(views.contents(), this::contentChanged)
            .on(views.snapshots(), this::snapshotChanged)
            .onChange(views.volumes(), this::volumeChanged)
            .onChange(views.classes(), this::classChanged)
            .loop(snapshots, this::sync, PARALLELISM)
            .loop(contents, this::syncContent, PARALLELISM)
            .loop(claims, this::syncClaim, PARALLELISM);
    groups.ifPresent(g -> g.declare(spec));
    return spec.build();
  }

  private void snapshotChanged(Change<VolumeSnapshot> change) {
    snapshots.add(change.key());
    VolumeSnapshot now = change.object();
    groups.ifPresent(g -> g.snapshotChanged(now));
    if (!now.sourceClaim().isEmpty()
        && (change instanceof Change.Deleted<VolumeSnapshot>
            || !ContentDecider.holdsItsClaim(now))) {
      claims.add(SnapshotViews.claimOf(now));
    }
  }

  private void volumesLetGo(String driver, List<String> handles) {
    views.claimsOf(driver, handles).forEach(claims::add);
  }

  private void contentChanged(Change<SnapshotContent> change) {
    SnapshotContent now = change.object();
    contents.add(now.key());
    snapshots.add(now.snapshot().key());
    groups.ifPresent(g -> g.memberChanged(now.snapshot().key()));
    if (change.ends(ContentDecider::holdsItsVolume)) {
      volumesLetGo(now.driver(), List.of(now.source().volumeHandle()));
    }
    views.ofContent(now.meta().name()).forEach(snapshot -> snapshots.add(snapshot.key()));
  }

  /** Whoever is held there may go by now. */
  private void letGo(String namespace) {
    views.held(namespace).forEach(claim -> claims.add(claim.key()));
  }

  private void claimChanged(Change<Claim> change) {
    Claim now = change.object();
    fills.ended(change).forEach(this::fillEnded);
    noteDeletion(change);
    groups.ifPresent(g -> g.claimChanged(now.key().namespace()));
    wakeSnapshotsOf(now.key());
    if (now.meta().finalizers().contains(VolumeSnapshot.CLAIM_PROTECTION)) {
      claims.add(now.key());
    }
  }

  /** A claim no longer waits to be filled from the snapshot. */
  private void fillEnded(ObjectKey snapshot) {
    snapshots.add(snapshot);
    views.snapshots().get(snapshot).ifPresent(s -> groups.ifPresent(g -> g.snapshotChanged(s)));
  }

  private void noteDeletion(Change<Claim> change) {
    Claim now = change.object();
    if (change instanceof Change.Deleted<Claim>
        || !now.meta().finalizers().contains(VolumeSnapshot.CLAIM_PROTECTION)) {
      holders.forget(now.key());
    } else if (now.meta().isBeingDeleted()) {
      holders.noteDeleting(now);
    }
  }

  private void volumeChanged(Change<Volume> change) {
    ClaimRef ref = change.object().claimRef();
    if (ref != null) {
      wakeSnapshotsOf(ref.claim());
      groups.ifPresent(g -> g.claimChanged(ref.claim().namespace()));
    }
  }

  private void wakeSnapshotsOf(ObjectKey claim) {
    views
        .ofClaim(claim)
        .forEach(snapshot -> {
          if (ContentDecider.holdsItsClaim(snapshot)) {
            snapshots.add(snapshot.key());
          }
        });
  }

  /** Any that has none yet may have waited for it. */
  private void classChanged(Change<SnapshotClass> change) {
    if (!(change instanceof Change.Deleted<SnapshotClass>)) {
      views
          .snapshots()
          .snapshot()
          .all()
          .forEach(snapshot -> {
            if (snapshot.status().content().isEmpty()) {
              snapshots.add(snapshot.key());
            }
          });
    }
  }

  private Outcome sync(ObjectKey key) throws InterruptedException {
    Optional<VolumeSnapshot> found = views.snapshots().get(key);
    if (found.isEmpty()) {
      return Outcome.SETTLED;
    }
    VolumeSnapshot snapshot = found.get();
    if (!snapshot.meta().isBeingDeleted()) {
      return lives(snapshot, view(snapshot));
    }
    if (!DeletionDecider.isHeld(snapshot) || snapshot.isOfGroup() && groups.isEmpty()) {
      return Outcome.SETTLED;
    }
    return switch (fills.from(key)) {
      case ReadResult.Found<Optional<ObjectKey>>(Optional<ObjectKey> claim) ->
          goes(snapshot, claim);
      case ReadResult.Absent<Optional<ObjectKey>> _ -> Outcome.SETTLED; // there is always an answer
      case ReadResult.Failed<Optional<ObjectKey>>(String message) ->
          new Outcome.Unanswered("which claims snapshot " + key + " fills: " + message);
    };
  }

  private Outcome goes(VolumeSnapshot snapshot, Optional<ObjectKey> restored)
      throws InterruptedException {
    return switch (live.of(snapshot, restored)) {
      case ReadResult.Found<Facts>(Facts facts) ->
          writer.apply(snapshot, Decided.by(DeletionDecider.decide(snapshot, facts)));
      case ReadResult.Absent<Facts> _ -> Outcome.SETTLED; // there are always some
      case ReadResult.Failed<Facts>(String message) ->
          new Outcome.Unanswered("whether snapshot " + snapshot.key() + " may go: " + message);
    };
  }

  private Outcome lives(VolumeSnapshot snapshot, SnapshotView view) throws InterruptedException {
    SnapshotStep step = Decided.by(SnapshotDecider.decide(view));
    return step instanceof SnapshotStep.CreateContent
        ? held.then(
            snapshot.key(), List.of(view.claim().orElseThrow()), () -> writer.apply(snapshot, step))
        : writer.apply(snapshot, step);
  }

  private SnapshotView view(VolumeSnapshot snapshot) {
    SnapshotView view = views.of(snapshot);
    return groups.map(g -> view.of(g.membership(snapshot, view.content()))).orElse(view);
  }

  private Outcome syncContent(ObjectKey key) throws InterruptedException {
    Optional<SnapshotContent> content = views.contents().get(key);
    return content.isPresent() ? writer.content(content.get()) : Outcome.SETTLED;
  }

  private Outcome syncClaim(ObjectKey key) throws InterruptedException {
    Optional<Claim> claim =
        views
            .claims()
            .get(key)
            .filter(c -> c.meta().finalizers().contains(VolumeSnapshot.CLAIM_PROTECTION));
    if (claim.isEmpty()) {
      return Outcome.SETTLED;
    }
    for (VolumeSnapshot snapshot : views.ofClaim(key)) {
      if (ContentDecider.holdsItsClaim(snapshot)) {
        return Outcome.SETTLED; // its end brings the claim back
      }
    }
    return views.isCut(claim.get()) || isOfGroup(claim.get())
        ? Outcome.SETTLED // its end brings the claim back
        : letGo(claim.get());
  }

  private boolean isOfGroup(Claim claim) {
    return groups.filter(group -> group.holds(claim)).isPresent();
  }

  /** With a claim that is being deleted its volume goes: no cache may be behind then. */
  private Outcome letGo(Claim claim) throws InterruptedException {
    Optional<Volume> volume =
        claim.meta().isBeingDeleted() ? views.volumeOf(claim) : Optional.empty();
    if (volume.isEmpty()) {
      return writer.letGo(claim);
    }
    boolean groupsToo = groups.filter(GroupController::areKnown).isPresent();
    Optional<ReadResult<List<ClaimHolders>>> listed =
        holders.of(claim, groupsToo, () -> claims.add(claim.key()));
    return listed.isPresent()
        ? letGo(claim, volume.get(), listed.get())
        : Outcome.DEFERRED; // the end of the list that is under way brings it back
  }

  private Outcome letGo(Claim claim, Volume volume, ReadResult<List<ClaimHolders>> listed)
      throws InterruptedException {
    if (listed instanceof ReadResult.Failed<List<ClaimHolders>>(String message)) {
      return new Outcome.Unanswered("whether claim " + claim.key() + " may go: " + message);
    }
    boolean isHeld =
        listed.found().orElse(List.of()).stream().anyMatch(one -> one.hold(claim, volume));
    if (isHeld || isOfGroup(claim)) { // by now
      holders.noteHeld(claim);
      return new Outcome.CheckAgain(SOON);
    }
    return writer.letGo(claim);
  }
}
