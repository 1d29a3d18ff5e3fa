package dev.mooring.snapshots;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.ReadResult;
import dev.mooring.informer.Change;
import dev.mooring.informer.Index;
import dev.mooring.informer.Informer;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.SnapshotClass;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.reconcile.Outcome;
import dev.mooring.snapshots.decide.ContentDecider;
import dev.mooring.snapshots.decide.DeletionDecider;
import dev.mooring.snapshots.decide.DeletionDecider.Facts;
import dev.mooring.snapshots.decide.SnapshotDecider;
import dev.mooring.snapshots.execute.SnapshotFacts;
import dev.mooring.snapshots.execute.SnapshotWriter;
import dev.mooring.snapshots.observe.Fills;
import dev.mooring.snapshots.observe.SnapshotViews;
import dev.mooring.spi.Failure;
import dev.mooring.workqueue.WorkQueue;
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

  /** The indexes that the snapshots' informer has to have. */
  public static final List<Index<VolumeSnapshot, ?>> INDEXES =
      List.of(SnapshotViews.BY_CLAIM, SnapshotViews.BY_CONTENT, SnapshotViews.GOING);

  /**
   * What it sees of the cluster.
   *
   * @param snapshots all snapshots, with {@link #INDEXES}
   * @param contents all contents
   * @param classes all classes
   * @param claims all claims
   * @param volumes all volumes
   */
  public record Informers(
      Informer<VolumeSnapshot> snapshots,
      Informer<SnapshotContent> contents,
      Informer<SnapshotClass> classes,
      Informer<Claim> claims,
      Informer<Volume> volumes) {}

  private final Informers informers;
  private final SnapshotViews views;
  private final Fills fills = new Fills();
  private final SnapshotFacts live;
  private final SnapshotWriter writer;
  private final int parallelism;
  private final WorkQueue<ObjectKey> snapshots;
  private final WorkQueue<ObjectKey> contents;
  private final WorkQueue<ObjectKey> claims;

  /**
   * A controller that does nothing yet.
   *
   * @param parallelism snapshots worked on at once, at least 1
   */
  public SnapshotController(Informers informers, ClusterPorts ports, int parallelism) {
    this.informers = informers;
    this.views =
        new SnapshotViews(
            informers.snapshots(),
            informers.contents(),
            informers.classes(),
            informers.claims(),
            informers.volumes());
    this.parallelism = parallelism;
    this.live = new SnapshotFacts(ports.reader());
    this.writer = new SnapshotWriter(ports.writer(), ports.events(), ports.time());
    this.snapshots = new WorkQueue<>("snapshot-controller-snapshot", ports.time());
    this.contents = new WorkQueue<>("snapshot-controller-content", ports.time());
    this.claims = new WorkQueue<>("snapshot-controller-claim", ports.time());
  }

  /** What it is made of, to be run once. */
  public ControllerSpec spec() {
    return ControllerSpec.named(NAME)
        .reads(
            informers.claims(),
            informers.volumes(),
            informers.classes(),
            informers.contents(),
            informers.snapshots())
        .on(informers.claims(), this::claimChanged)
        .on(informers.contents(), this::contentChanged)
        .on(informers.snapshots(), this::snapshotChanged)
        .onChange(informers.volumes(), this::volumeChanged)
        .onChange(informers.classes(), this::classChanged)
        .loop(snapshots, this::sync, parallelism)
        .loop(contents, this::syncContent, parallelism)
        .loop(claims, this::syncClaim, 1)
        .build();
  }

  private void snapshotChanged(Change<VolumeSnapshot> change) {
    snapshots.add(change.key());
    VolumeSnapshot now = change.object();
    if (!now.sourceClaim().isEmpty()
        && (change instanceof Change.Deleted<VolumeSnapshot>
            || !ContentDecider.holdsItsClaim(now))) {
      claims.add(SnapshotViews.claimOf(now));
    }
  }

  private void contentChanged(Change<SnapshotContent> change) {
    SnapshotContent now = change.object();
    contents.add(now.key());
    snapshots.add(now.snapshot().key());
    views.ofContent(now.meta().name()).forEach(snapshot -> snapshots.add(snapshot.key()));
  }

  private void claimChanged(Change<Claim> change) {
    Claim now = change.object();
    if (fills.ended(change)) {
      views.going(now.key().namespace()).forEach(snapshot -> snapshots.add(snapshot.key()));
    }
    wakeSnapshotsOf(now.key());
    if (now.meta().finalizers().contains(VolumeSnapshot.CLAIM_PROTECTION)) {
      claims.add(now.key());
    }
  }

  private void volumeChanged(Change<Volume> change) {
    ClaimRef ref = change.object().claimRef();
    if (ref != null) {
      wakeSnapshotsOf(ref.claim());
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
      informers
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
    Optional<VolumeSnapshot> found = informers.snapshots().snapshot().get(key);
    if (found.isEmpty()) {
      return Outcome.SETTLED;
    }
    VolumeSnapshot snapshot = found.get();
    if (!snapshot.meta().isBeingDeleted()) {
      return writer.apply(snapshot, SnapshotDecider.decide(views.of(snapshot)));
    }
    if (!DeletionDecider.isHeld(snapshot)) {
      return Outcome.SETTLED;
    }
    return switch (live.of(snapshot, fills.in(key.namespace()))) {
      case ReadResult.Found<Facts>(Facts facts) ->
          writer.apply(snapshot, DeletionDecider.decide(snapshot, facts));
      case ReadResult.Absent<Facts> _ -> Outcome.SETTLED; // there are always some
      case ReadResult.Failed<Facts>(String message) ->
          new Outcome.Retry(
              new Failure.Unreachable("whether snapshot " + key + " may go: " + message));
    };
  }

  private Outcome syncContent(ObjectKey key) throws InterruptedException {
    Optional<SnapshotContent> content = informers.contents().snapshot().get(key);
    if (content.isEmpty()) {
      return Outcome.SETTLED;
    }
    if (!ContentDecider.flaw(content.get()).isEmpty()) {
      writer.refuse(content.get());
      return Outcome.SETTLED;
    }
    return ContentDecider.isToBeHeld(content.get()) ? writer.hold(content.get()) : Outcome.SETTLED;
  }

  private Outcome syncClaim(ObjectKey key) throws InterruptedException {
    Optional<Claim> claim =
        informers
            .claims()
            .snapshot()
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
    return writer.letGo(claim.get());
  }
}
