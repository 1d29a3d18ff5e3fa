package dev.mooring.csi;

import dev.mooring.cluster.ReadResult;
import dev.mooring.csi.decide.CloneSource;
import dev.mooring.csi.decide.DataSource;
import dev.mooring.csi.decide.FillSourceRules;
import dev.mooring.csi.decide.ReferenceGrantRules;
import dev.mooring.csi.execute.BlockedClaims;
import dev.mooring.csi.execute.DataSourceReader;
import dev.mooring.csi.execute.DriverFinalizers;
import dev.mooring.csi.execute.DriverSession;
import dev.mooring.csi.execute.SnapshotProtection;
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
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.time.Time;
import dev.mooring.workqueue.WorkQueue;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Removes finalizers from claims and snapshots when no waiting claim is filled from them. Claims
 * are released only while they are being deleted, as in external-provisioner. A periodic sweep
 * finds snapshots that an earlier process protected.
 */
final class CloneController {
  private static final Duration SOON = Duration.ofSeconds(1);

  private sealed interface CloneWork {
    // A claim that waits for its copy.
    record Copy(ObjectKey claim) implements CloneWork {}

    // A source that may be released.
    record Source(CloneSource source) implements CloneWork {}

    // A check of all snapshots.
    record Sweep() implements CloneWork {}

    // Returns the namespace for fair queuing.
    default String namespace() {
      return switch (this) {
        case Copy(ObjectKey claim) -> claim.namespace();
        case Source(CloneSource source) -> source.key().namespace();
        case Sweep() -> "";
      };
    }
  }

  record Parts(
      DataSourceReader sources,
      DriverFinalizers finalizers,
      SnapshotProtection snapshots,
      SourceGate gate,
      BlockedClaims waiting) {}

  private final String name;
  private final DriverSession session;
  private final CsiConfig.Sources config;
  private final Informer<Claim> claims;
  private final Optional<Informer<ReferenceGrant>>
      grants; // empty: sources in other namespaces are disabled
  private final Parts parts;
  private final WorkQueue<CloneWork> queue;
  private final PendingClones clones = new PendingClones();

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
    this.queue = WorkQueue.fair(name, time, CloneWork::namespace);
  }

  ControllerSpec spec() {
    ControllerSpec.Builder spec =
        ControllerSpec.named(name)
            .reads(claims)
            .on(claims, this::claimChanged)
            .once(() -> session.onReady(() -> queue.add(new CloneWork.Sweep())))
            .loop(queue, this::sync, 1);
    grants.ifPresent(all -> spec.uses(all).onChange(all, this::grantChanged));
    return spec.build();
  }

  // A copy in another namespace protects its source only while a grant allows it.
  private void grantChanged(Change<ReferenceGrant> change) {
    requeueSources(clones.in(change.key().namespace()));
  }

  private void claimChanged(Change<Claim> change) {
    switch (change) {
      case Change.Added<Claim>(Claim now) -> track(now);
      case Change.Updated<Claim>(Claim before, Claim now) -> {
        if (!before.meta().uid().equals(now.meta().uid())) {
          requeueSources(clones.ended(before.key()));
        }
        track(now);
      }
      case Change.Deleted<Claim>(Claim last) -> requeueSources(clones.ended(last.key()));
    }
  }

  private void requeueSources(Collection<CloneSource> sources) {
    sources.forEach(source -> queue.add(new CloneWork.Source(source)));
  }

  private void track(Claim claim) {
    if (!isWaitingForCopy(claim)) {
      requeueSources(clones.ended(claim.key()));
    } else if (clones.begin(claim.key())) {
      queue.add(new CloneWork.Copy(claim.key()));
    }
    if (isProtectedAndDeleted(claim)) {
      queue.add(new CloneWork.Source(new CloneSource(CloneSource.Type.CLAIM, claim.key())));
    }
  }

  private static boolean isWaitingForCopy(Claim claim) {
    return claim.hasDataSource()
        && (claim.phase() == ClaimPhase.PENDING || claim.phase() == ClaimPhase.UNSET);
  }

  private static boolean isProtectedAndDeleted(Claim claim) {
    return claim.meta().isBeingDeleted()
        && claim.meta().finalizers().contains(FillSourceRules.CLAIM_IN_USE);
  }

  private Outcome sync(CloneWork work) throws InterruptedException {
    return switch (work) {
      case CloneWork.Copy(ObjectKey claim) -> resolve(claim);
      case CloneWork.Source(CloneSource source) -> releaseIfUnused(source);
      case CloneWork.Sweep() -> sweep();
    };
  }

  private Outcome resolve(ObjectKey copy) throws InterruptedException {
    if (!clones.isUnknown(copy)) {
      return Outcome.SETTLED;
    }
    switch (parts.sources().read(copy)) {
      case ReadResult.Found<DataSource>(DataSource source) ->
          requeueSources(clones.resolved(copy, protectable(copy, source)));
      case ReadResult.Absent<DataSource> _ ->
          requeueSources(clones.resolved(copy, Optional.empty()));
      case ReadResult.Failed<DataSource>(String message) -> {
        return new Outcome.Unanswered("the data source of claim " + copy + ": " + message);
      }
    }
    return Outcome.SETTLED;
  }

  // Without grants, sources in other namespaces are not protected.
  private Optional<CloneSource> protectable(ObjectKey copy, DataSource source) {
    return source
        .copySource(copy.namespace())
        .filter(s -> grants.isPresent() || !ReferenceGrantRules.isNeeded(source, copy.namespace()));
  }

  private Outcome releaseIfUnused(CloneSource source) throws InterruptedException {
    if (!parts.gate().tryRelease(source)) {
      return new Outcome.CheckAgain(SOON);
    }
    try {
      return clones.mayUse(source, Set.of(source.key().namespace()))
          ? Outcome.SETTLED // the end of the last copy requeues the source
          : releaseUnlessGranted(source);
    } finally {
      parts.gate().endRelease(source);
      parts
          .waiting()
          .changed(BlockedClaims.Input.of(source)); // claims that tried to protect it meanwhile
    }
  }

  // A claim of another namespace counts only while a ReferenceGrant allows it.
  private Outcome releaseUnlessGranted(CloneSource source) throws InterruptedException {
    if (grants.isEmpty() || !clones.mayBeCopiedElsewhere(source)) {
      return release(source);
    }
    return switch (parts.sources().namespacesGranted(source)) {
      case ReadResult.Found<Set<String>>(Set<String> namespaces) ->
          clones.mayUse(source, namespaces) ? Outcome.SETTLED : release(source);
      case ReadResult.Absent<Set<String>> _ -> release(source);
      case ReadResult.Failed<Set<String>>(String message) ->
          new Outcome.Unanswered("which namespaces may use " + source + ": " + message);
    };
  }

  private Outcome release(CloneSource source) throws InterruptedException {
    return switch (source.type()) {
      case CLAIM -> {
        Optional<Claim> claim =
            claims.get(source.key()).filter(CloneController::isProtectedAndDeleted);
        yield claim.isEmpty()
            ? Outcome.SETTLED
            : parts.finalizers().release(Kind.CLAIM, claim.get(), FillSourceRules.CLAIM_IN_USE);
      }
      case SNAPSHOT -> parts.snapshots().release(source.key());
    };
  }

  private Outcome sweep() throws InterruptedException {
    boolean knowsSnapshots =
        session.identity().filter(i -> i.can(DriverCapability.CREATE_DELETE_SNAPSHOT)).isPresent();
    if (!knowsSnapshots || config.sweepPeriod().isZero()) {
      return Outcome.SETTLED; // requeued when the driver is ready
    }
    return switch (parts.snapshots().listProtected()) {
      case ReadResult.Found<List<ObjectKey>>(List<ObjectKey> keys) -> {
        for (ObjectKey key : keys) {
          queue.add(new CloneWork.Source(new CloneSource(CloneSource.Type.SNAPSHOT, key)));
        }
        yield new Outcome.CheckAgain(config.sweepPeriod());
      }
      case ReadResult.Absent<List<ObjectKey>> _ -> new Outcome.CheckAgain(config.sweepPeriod());
      case ReadResult.Failed<List<ObjectKey>>(String message) ->
          new Outcome.Unanswered("listing snapshots: " + message);
    };
  }
}
