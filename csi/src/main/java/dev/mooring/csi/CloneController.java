package dev.mooring.csi;

import dev.mooring.cluster.ReadResult;
import dev.mooring.csi.decide.CloneSource;
import dev.mooring.csi.decide.ContentRules;
import dev.mooring.csi.decide.DataSource;
import dev.mooring.csi.decide.Grants;
import dev.mooring.csi.execute.BlockedClaims;
import dev.mooring.csi.execute.DataSources;
import dev.mooring.csi.execute.DriverFinalizers;
import dev.mooring.csi.execute.DriverSession;
import dev.mooring.csi.execute.SnapshotHolds;
import dev.mooring.csi.execute.SourceGate;
import dev.mooring.csi.observe.PendingClones;
import dev.mooring.informer.Change;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReferenceGrant;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.csi.Identity.Ability;
import dev.mooring.time.Time;
import dev.mooring.workqueue.WorkQueue;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Lets claims and snapshots go that volumes are filled from: as soon as no claim that waits for its
 * volume is filled from them any more. Claims only when they are to be deleted, as
 * external-provisioner does. Snapshots that an earlier process held are found when all are looked
 * through, now and then.
 */
final class CloneController {
  private static final Duration SOON = Duration.ofSeconds(1);

  /** What is to be looked at. */
  private sealed interface Work {
    /** A claim that waits to be filled. */
    record Copy(ObjectKey claim) implements Work {}

    /** What claims are filled from. */
    record Source(CloneSource source) implements Work {}

    /** All snapshots. */
    record Sweep() implements Work {}

    /** Whose turn it takes in the queue. */
    default String namespace() {
      return switch (this) {
        case Copy(ObjectKey claim) -> claim.namespace();
        case Source(CloneSource source) -> source.key().namespace();
        case Sweep() -> "";
      };
    }
  }

  /**
   * What it goes by.
   *
   * @param sources what claims are filled from
   * @param finalizers lets claims go
   * @param snapshots lets snapshots go
   * @param gate passed before anything is let go
   * @param waiting who waits to be filled
   */
  record Parts(
      DataSources sources,
      DriverFinalizers finalizers,
      SnapshotHolds snapshots,
      SourceGate gate,
      BlockedClaims waiting) {}

  private final String name;
  private final DriverSession session;
  private final CsiConfig.Sources config;
  private final Informer<Claim> claims;
  private final Optional<Informer<ReferenceGrant>> grants; // empty: no sources of other namespaces
  private final Parts parts;
  private final WorkQueue<Work> queue;
  private final PendingClones copies = new PendingClones();

  CloneController(
      DriverSession session,
      CsiConfig.Sources config,
      SharedInformers informers,
      Parts parts,
      Time time) {
    this.name = "csi-clones-" + session.driver();
    this.session = session;
    this.config = config;
    this.claims = informers.of(Kind.CLAIM);
    this.grants =
        config.acrossNamespaces()
            ? Optional.of(informers.of(ReferenceGrant.KIND))
            : Optional.empty();
    this.parts = parts;
    this.queue = WorkQueue.fair(name, time, Work::namespace);
  }

  /** What it is made of, to be run once. */
  ControllerSpec spec() {
    ControllerSpec.Builder spec =
        ControllerSpec.named(name)
            .reads(claims)
            .on(claims, this::claimChanged)
            .once(() -> session.onReady(() -> queue.add(new Work.Sweep())))
            .loop(queue, this::sync, 1);
    grants.ifPresent(all -> spec.uses(all).onChange(all, this::grantChanged));
    return spec.build();
  }

  /** A grant that is withdrawn ends what the copies of another namespace keep. */
  private void grantChanged(Change<ReferenceGrant> change) {
    look(copies.in(change.key().namespace()));
  }

  private void claimChanged(Change<Claim> change) {
    switch (change) {
      case Change.Added<Claim>(Claim now) -> note(now);
      case Change.Updated<Claim>(Claim before, Claim now) -> {
        if (!before.meta().uid().equals(now.meta().uid())) {
          look(copies.ended(before.key()));
        }
        note(now);
      }
      case Change.Deleted<Claim>(Claim last) -> look(copies.ended(last.key()));
    }
  }

  private void look(Collection<CloneSource> sources) {
    sources.forEach(source -> queue.add(new Work.Source(source)));
  }

  private void note(Claim claim) {
    if (!isFilled(claim)) {
      look(copies.ended(claim.key()));
    } else if (copies.begins(claim.key())) {
      queue.add(new Work.Copy(claim.key()));
    }
    if (isHeld(claim)) {
      queue.add(new Work.Source(new CloneSource(CloneSource.Type.CLAIM, claim.key())));
    }
  }

  private static boolean isFilled(Claim claim) {
    return claim.hasDataSource()
        && (claim.phase() == ClaimPhase.PENDING || claim.phase() == ClaimPhase.UNSET);
  }

  private static boolean isHeld(Claim claim) {
    return claim.meta().isBeingDeleted()
        && claim.meta().finalizers().contains(ContentRules.CLAIM_IN_USE);
  }

  private Outcome sync(Work work) throws InterruptedException {
    return switch (work) {
      case Work.Copy(ObjectKey claim) -> learn(claim);
      case Work.Source(CloneSource source) -> release(source);
      case Work.Sweep() -> sweep();
    };
  }

  private Outcome learn(ObjectKey copy) throws InterruptedException {
    if (!copies.isUnknown(copy)) {
      return Outcome.SETTLED;
    }
    switch (parts.sources().read(copy)) {
      case ReadResult.Found<DataSource>(DataSource source) ->
          look(copies.learned(copy, held(copy, source)));
      case ReadResult.Absent<DataSource> _ -> look(copies.learned(copy, Optional.empty()));
      case ReadResult.Failed<DataSource>(String message) -> {
        return new Outcome.Unanswered("what claim " + copy + " is filled from: " + message);
      }
    }
    return Outcome.SETTLED;
  }

  /** Without grants, sources of other namespaces are not held from here. */
  private Optional<CloneSource> held(ObjectKey copy, DataSource source) {
    return source
        .copySource(copy.namespace())
        .filter(s -> grants.isPresent() || !Grants.isNeeded(source, copy.namespace()));
  }

  private Outcome release(CloneSource source) throws InterruptedException {
    if (!parts.gate().letsGo(source)) {
      return new Outcome.CheckAgain(SOON);
    }
    try {
      return copies.holds(source, Set.of(source.key().namespace()))
          ? Outcome.SETTLED // the last copy's end calls
          : letGoUnlessGranted(source);
    } finally {
      parts.gate().letGo(source);
      parts.waiting().changed(BlockedClaims.Input.of(source)); // who came to hold it meanwhile
    }
  }

  /** A claim of another namespace counts only while a ReferenceGrant allows it. */
  private Outcome letGoUnlessGranted(CloneSource source) throws InterruptedException {
    if (grants.isEmpty() || !copies.mayBeCopiedElsewhere(source)) {
      return letGo(source);
    }
    return switch (parts.sources().namespacesGranted(source)) {
      case ReadResult.Found<Set<String>>(Set<String> namespaces) ->
          copies.holds(source, namespaces) ? Outcome.SETTLED : letGo(source);
      case ReadResult.Absent<Set<String>> _ -> letGo(source);
      case ReadResult.Failed<Set<String>>(String message) ->
          new Outcome.Unanswered("which namespaces may use " + source + ": " + message);
    };
  }

  private Outcome letGo(CloneSource source) throws InterruptedException {
    return switch (source.type()) {
      case CLAIM -> {
        Optional<Claim> claim = claims.get(source.key()).filter(CloneController::isHeld);
        yield claim.isEmpty()
            ? Outcome.SETTLED
            : parts.finalizers().letGo(Kind.CLAIM, claim.get(), ContentRules.CLAIM_IN_USE);
      }
      case SNAPSHOT -> parts.snapshots().letGo(source.key());
    };
  }

  private Outcome sweep() throws InterruptedException {
    boolean knowsSnapshots =
        session.identity().filter(i -> i.can(Ability.CREATE_DELETE_SNAPSHOT)).isPresent();
    if (!knowsSnapshots || config.sweepPeriod().isZero()) {
      return Outcome.SETTLED; // woken when it is ready
    }
    return switch (parts.snapshots().all()) {
      case ReadResult.Found<List<ObjectKey>>(List<ObjectKey> held) -> {
        for (ObjectKey key : held) {
          queue.add(new Work.Source(new CloneSource(CloneSource.Type.SNAPSHOT, key)));
        }
        yield new Outcome.CheckAgain(config.sweepPeriod());
      }
      case ReadResult.Absent<List<ObjectKey>> _ -> new Outcome.CheckAgain(config.sweepPeriod());
      case ReadResult.Failed<List<ObjectKey>>(String message) ->
          new Outcome.Unanswered("looking through snapshots: " + message);
    };
  }
}
