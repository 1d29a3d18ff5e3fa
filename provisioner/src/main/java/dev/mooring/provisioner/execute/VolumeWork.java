package dev.mooring.provisioner.execute;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.LiveDecisions;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.WriteResult;
import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.Volume;
import dev.mooring.provisioner.decide.ClaimRules;
import dev.mooring.provisioner.decide.DestroyVerdict;
import dev.mooring.provisioner.decide.ObservedClaims;
import dev.mooring.provisioner.decide.VolumeRules;
import dev.mooring.provisioner.state.UnboundVolumes;
import dev.mooring.provisioner.state.VolumeMemory;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.Failure;
import dev.mooring.storage.DeletionBreaker;
import dev.mooring.storage.DeletionGuards;
import dev.mooring.storage.ProtectionHandover;
import dev.mooring.storage.ProvisionConfig;
import dev.mooring.storage.VolumeCondemner;
import dev.mooring.storage.VolumeService;
import dev.mooring.storage.VolumeService.DestroyCall;
import dev.mooring.storage.VolumeService.DestroyPlan;
import dev.mooring.storage.VolumeService.DestroyResult;
import dev.mooring.storage.decide.VolumeOrigin;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Maintains the finalizer of our volumes and deletes released ones. Before a deletion, it reads the
 * claim live, and a conditional write proves that the volume has not changed since the decision.
 * Thread-safe.
 */
public final class VolumeWork {
  private static final Duration HOLD_RECHECK = Duration.ofSeconds(15);
  private static final Duration LIMIT_RECHECK = Duration.ofSeconds(1);

  private final VolumeService service;
  private final ClaimRules.Names names;
  private final ClusterWriter writer;
  private final LiveReader reader;
  private final ProvisionReporter reporter;
  private final ProvisionStats stats;
  private final DeletionBreaker breaker;
  private final VolumeCondemner condemner;
  private final ProtectionHandover handover;
  private final VolumeMemory memory;
  private final UnboundVolumes unboundVolumes;
  private final ObservedClaims claims;

  public VolumeWork(
      VolumeService service,
      ClusterPorts ports,
      ProvisionListeners listeners,
      DeletionGuards guards,
      VolumeMemory memory) {
    this.memory = memory;
    this.unboundVolumes = memory.unboundVolumes();
    this.handover = memory.handover();
    this.claims = memory.claims();
    this.stats = listeners.stats();
    this.breaker = guards.breaker();
    this.service = service;
    this.names = new ClaimRules.Names(service.provisionerNames(), service.inheritedNames());
    this.writer = ports.writer();
    this.reader = ports.reader();
    this.reporter = listeners.reporter();
    this.condemner =
        new VolumeCondemner(guards.delay(), new ReportedDelays(reporter, memory.failures()));
  }

  public void forget(Volume volume) {
    memory.forget(volume);
  }

  public Outcome sync(Volume volume) throws InterruptedException {
    if (volume.meta().isBeingDeleted() && memory.isDestroyed(volume)) {
      return removeFinalizer(volume); // whatever others wrote to the object in the meantime
    }
    Optional<DestroyResult> obstacle =
        VolumeRules.mayNeedWork(volume) ? service.checkService(volume) : Optional.empty();
    if (obstacle.isPresent()) {
      return handleResult(volume, obstacle.get(), stats.currentNanos());
    }
    if (isTaken(volume)) {
      return keepTaken(volume);
    }
    if (isNeverBound(volume)) {
      return keepNeverBound(volume);
    }
    if (VolumeRules.isFreedTooLate(volume)) {
      reporter.reportFreedTooLate(volume);
      return Outcome.SETTLED;
    }
    Optional<List<String>> finalizers = VolumeRules.finalizers(volume);
    if (finalizers.isPresent()) {
      return outcome(volume, "writing its finalizers", writeFinalizers(volume, finalizers.get()));
    }
    return VolumeRules.isToBeDestroyed(volume) ? destroyWhenDue(volume) : Outcome.SETTLED;
  }

  private Outcome destroyWhenDue(Volume volume) throws InterruptedException {
    Optional<Outcome> wait = condemner.checkWait(volume);
    return wait.isPresent() ? wait.get() : destroy(volume);
  }

  private boolean isTaken(Volume volume) {
    ClaimRef ref = volume.claimRef();
    return ref != null
        && !VolumeRules.isMarkedTaken(volume)
        && VolumeRules.isTaken(
            volume, claims.hadNoVolume().test(ref.uid()), claims.cachedClaim().apply(ref.claim()));
  }

  private boolean isNeverBound(Volume volume) {
    return !VolumeOrigin.isMarkedNeverBound(volume)
        && VolumeRules.isNeverBound(
            volume, unboundVolumes.isSeenOnlyUnbound(volume), claims.neverHadVolume(volume));
  }

  private Outcome keepNeverBound(Volume volume) throws InterruptedException {
    Outcome outcome = mark(volume, VolumeOrigin.NEVER_BOUND);
    if (outcome.equals(Outcome.SETTLED)) {
      reporter.reportNeverBound(volume);
    }
    return outcome;
  }

  /**
   * Annotates a volume that a claim got only during its deletion, before that observation is
   * forgotten or the claim is deleted.
   *
   * @param volume any volume; need not be ours
   */
  public Outcome keepIfTaken(Volume volume) throws InterruptedException {
    return VolumeRules.isOurs(volume, names) && isTaken(volume)
        ? keepTaken(volume)
        : Outcome.SETTLED;
  }

  private Outcome keepTaken(Volume volume) throws InterruptedException {
    Outcome outcome = mark(volume, VolumeRules.TAKEN_BY);
    if (outcome.equals(Outcome.SETTLED)) {
      reporter.reportKept(volume);
    }
    return outcome;
  }

  private Outcome mark(Volume volume, String annotation) throws InterruptedException {
    ClaimRef ref = Objects.requireNonNull(volume.claimRef());
    return outcome(
        volume,
        "writing that its storage is kept",
        writer.patch(
            Kind.VOLUME,
            volume.key(),
            Document.patchOf(volume.meta())
                .set(ref.uid().toString(), "metadata", "annotations", annotation)));
  }

  private WriteResult<Volume> writeFinalizers(Volume volume, List<String> finalizers)
      throws InterruptedException {
    return writer.patch(
        Kind.VOLUME,
        volume.key(),
        Document.patchOf(volume.meta()).set(finalizers, "metadata", "finalizers"));
  }

  private Outcome destroy(Volume cachedVolume) throws InterruptedException {
    // the conditional write of commit() proves that the volume is unchanged
    LiveFacts knownFacts =
        LiveFacts.NONE.with(
            new Question.ObjectRead<>(Kind.VOLUME, cachedVolume.key()),
            new Fact.Present<>(cachedVolume));
    List<Volume> twins = unboundVolumes.volumesOfSameStorage(cachedVolume);
    DestroyVerdict verdict =
        LiveDecisions.decide(
            reader,
            knownFacts,
            facts -> VolumeRules.judgeDestruction(cachedVolume, names, claims, twins, facts));
    return switch (verdict) {
      case DestroyVerdict.Confirmed(Volume volume) -> destroyConfirmed(volume, twins);
      case DestroyVerdict.Spare() -> Outcome.SETTLED;
      case DestroyVerdict.Kept(Volume volume) ->
          VolumeRules.isMarkedKept(volume) ? Outcome.SETTLED : keepTaken(volume);
      case DestroyVerdict.Twin(Volume twin) -> waitForTwin(cachedVolume, twin);
      case DestroyVerdict.NotYet(String reason) -> retry(cachedVolume, reason);
      case DestroyVerdict.Unknown(String message) ->
          new Outcome.Unanswered("volume " + cachedVolume.meta().name() + ": " + message);
    };
  }

  private Outcome waitForTwin(Volume volume, Volume twin) {
    reporter.reportTwin(volume, twin);
    return retry(volume, "volume " + twin.meta().name() + " represents the same storage");
  }

  /**
   * Reads what the driver needs, which may take long, before the deletion of the object. The
   * conditional write does not detect another PersistentVolume for the same storage that is created
   * meanwhile, so the cache is read again.
   */
  private Outcome destroyConfirmed(Volume volume, List<Volume> judgedTwins)
      throws InterruptedException {
    Optional<WriteResult<Volume>> postponed = condemner.postpone(volume);
    if (postponed.isPresent()) {
      return outcome(volume, "condemning it", postponed.get());
    }
    return switch (service.planDestruction(volume)) {
      case DestroyPlan.Ready(DestroyCall call) -> {
        Optional<Volume> newTwin =
            unboundVolumes.volumesOfSameStorage(volume).stream()
                .filter(twin -> !judgedTwins.contains(twin))
                .findFirst();
        yield newTwin.isPresent()
            ? waitForTwin(volume, newTwin.get())
            : admitDestruction(volume, call);
      }
      case DestroyPlan.Blocked(DestroyResult result) ->
          handleResult(volume, result, stats.currentNanos());
    };
  }

  private Outcome admitDestruction(Volume volume, DestroyCall call) throws InterruptedException {
    return switch (breaker.admit(volume.meta().uid())) {
      case HELD -> {
        reporter.reportHeldDeletion(volume, breaker.describeHold());
        yield new Outcome.CheckAgain(HOLD_RECHECK);
      }
      case FULL -> new Outcome.CheckAgain(LIMIT_RECHECK);
      case GRANTED -> {
        handover.begin(volume);
        try {
          yield destroyAdmitted(volume, call);
        } finally {
          handover.end(volume);
          breaker.recordNotDestroyed(
              volume.meta().uid()); // unless the volume is deleted, which is recorded already
        }
      }
    };
  }

  private Outcome destroyAdmitted(Volume volume, DestroyCall call) throws InterruptedException {
    WriteResult<Volume> committed = commit(volume);
    if (!(committed instanceof WriteResult.Written<Volume>(Volume deletingVolume))) {
      return outcome(volume, "deleting it before its storage", committed);
    }
    long startNanos = stats.currentNanos();
    return handleResult(deletingVolume, call.run(), startNanos);
  }

  /**
   * Deletes the object in the judged version, while Mooring's finalizer keeps it. Afterwards only
   * the policy Retain keeps the storage. The API server rejects the write if the volume changed
   * since the decision, and no controller binds a volume that is being deleted.
   */
  private WriteResult<Volume> commit(Volume volume) throws InterruptedException {
    Volume finalizedVolume = volume;
    if (!volume.finalizers().contains(VolumeRules.FINALIZER)) {
      WriteResult<Volume> added =
          writeFinalizers(volume, volume.meta().finalizersWith(VolumeRules.FINALIZER));
      if (!(added instanceof WriteResult.Written<Volume>(Volume current))) {
        return added;
      }
      finalizedVolume = current;
    }
    return writer.delete(
        Kind.VOLUME,
        finalizedVolume.key(),
        finalizedVolume.meta().uid(),
        finalizedVolume.meta().resourceVersion());
  }

  private Outcome handleResult(Volume volume, DestroyResult result, long startNanos)
      throws InterruptedException {
    if (!(result instanceof DestroyResult.Unknown)) {
      memory.failures().forget(volume.meta().uid());
    }
    return switch (result) {
      case DestroyResult.Destroyed() -> {
        stats.recordDeletion(volume.storageClass(), true, startNanos);
        memory.addDestroyed(volume);
        breaker.recordDestroyed(volume.meta().uid());
        yield removeFinalizer(unboundVolumes.latest(volume));
      }
      case DestroyResult.NotResponsible(String _) -> Outcome.SETTLED;
      case DestroyResult.Failed(String message) -> {
        stats.recordDeletion(volume.storageClass(), false, startNanos);
        boolean isRetried = memory.failedAttempts().recordFailure(volume.meta().uid());
        reporter.reportFailedDeletion(
            volume, isRetried ? message : message + ProvisionConfig.GIVEN_UP);
        yield isRetried
            ? retry(volume, message)
            : new Outcome.GiveUp(
                new Failure.Rejected("volume " + volume.meta().name() + ": " + message));
      }
      case DestroyResult.Unknown(String message) -> reportUnanswered(volume, message);
    };
  }

  private Outcome reportUnanswered(Volume volume, String message) {
    if (memory.failures().isNew(volume.meta().uid(), message)) {
      reporter.reportFailedDeletion(volume, message);
    }
    return new Outcome.Unanswered("volume " + volume.meta().name() + ": " + message);
  }

  private Outcome removeFinalizer(Volume volume) throws InterruptedException {
    if (!volume.finalizers().contains(VolumeRules.FINALIZER)) {
      return Outcome.SETTLED;
    }
    WriteResult<Volume> result =
        writeFinalizers(volume, handover.finalizersWithout(VolumeRules.FINALIZER, volume));
    handover.recordRemoval(volume, result);
    return removalOutcome(volume, "removing its finalizer", result);
  }

  private Outcome removalOutcome(Volume volume, String action, WriteResult<Volume> result) {
    if (result instanceof WriteResult.Gone<Volume>) {
      memory.forget(volume); // no watch event may follow
    }
    return outcome(volume, action, result);
  }

  private static Outcome outcome(Volume volume, String action, WriteResult<Volume> result) {
    return Outcome.ofWrite("volume " + volume.meta().name() + ": " + action, result);
  }

  private static Outcome retry(Volume volume, String message) {
    return new Outcome.Retry(
        new Failure.Unreachable("volume " + volume.meta().name() + ": " + message));
  }
}
