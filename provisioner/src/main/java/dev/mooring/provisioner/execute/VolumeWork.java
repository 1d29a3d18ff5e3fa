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
import dev.mooring.provisioner.decide.SeenClaims;
import dev.mooring.provisioner.decide.VolumeRules;
import dev.mooring.provisioner.state.UnboundVolumes;
import dev.mooring.provisioner.state.VolumeMemory;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.Failure;
import dev.mooring.storage.DeletionBreaker;
import dev.mooring.storage.VolumeService;
import dev.mooring.storage.VolumeService.DestroyCall;
import dev.mooring.storage.VolumeService.Destroying;
import dev.mooring.storage.VolumeService.Destruction;
import dev.mooring.storage.decide.VolumeOrigin;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Maintains the finalizer of our volumes and deletes released ones (spec/provisioner-lib.md 5).
 * Before a deletion, it reads the claim live, and a conditional write proves that the volume has
 * not changed since the decision. Thread-safe.
 */
public final class VolumeWork {
  private static final Duration WHILE_HELD = Duration.ofSeconds(15);
  private static final Duration SOON = Duration.ofSeconds(1);

  private final VolumeService service;
  private final ClaimRules.Names names;
  private final ClusterWriter writer;
  private final LiveReader reader;
  private final ProvisionReporter reporter;
  private final ProvisionStats stats;
  private final DeletionBreaker breaker;
  private final VolumeMemory memory;
  private final UnboundVolumes volumes;
  private final SeenClaims claims;

  public VolumeWork(
      VolumeService service,
      ClusterPorts ports,
      ProvisionListeners listeners,
      DeletionBreaker breaker,
      VolumeMemory memory) {
    this.memory = memory;
    this.volumes = memory.volumes();
    this.claims = memory.claims();
    this.stats = listeners.stats();
    this.breaker = breaker;
    this.service = service;
    this.names = new ClaimRules.Names(service.names(), service.inheritedNames());
    this.writer = ports.writer();
    this.reader = ports.reader();
    this.reporter = listeners.reporter();
  }

  public void forget(Volume volume) {
    memory.forget(volume);
  }

  public Outcome tend(Volume volume) throws InterruptedException {
    if (volume.meta().isBeingDeleted() && memory.isDestroyed(volume)) {
      return remove(volume); // whatever others wrote to the object in the meantime
    }
    if (isTaken(volume)) {
      return keep(volume);
    }
    if (isNeverBound(volume)) {
      return keepNeverBound(volume);
    }
    if (VolumeRules.isFreedTooLate(volume)) {
      reporter.freedTooLate(volume);
      return Outcome.SETTLED;
    }
    Optional<List<String>> finalizers = VolumeRules.finalizers(volume);
    if (finalizers.isPresent()) {
      return outcome(volume, "its finalizers", finalize(volume, finalizers.get()));
    }
    return VolumeRules.isToBeDestroyed(volume) ? destroy(volume) : Outcome.SETTLED;
  }

  private boolean isTaken(Volume volume) {
    ClaimRef ref = volume.claimRef();
    return ref != null
        && !VolumeRules.saysTaken(volume)
        && VolumeRules.isTaken(
            volume, claims.hadNone().test(ref.uid()), claims.known().apply(ref.claim()));
  }

  private boolean isNeverBound(Volume volume) {
    return !VolumeOrigin.saysNeverBound(volume)
        && VolumeRules.isNeverBound(
            volume, volumes.isSeenOnlyUnbound(volume), claims.neverHad(volume));
  }

  private Outcome keepNeverBound(Volume volume) throws InterruptedException {
    Outcome written = mark(volume, VolumeOrigin.NEVER_BOUND);
    if (written.equals(Outcome.SETTLED)) {
      reporter.keptNeverBound(volume);
    }
    return written;
  }

  /**
   * Annotates a volume that a claim got only during its deletion, before that observation is
   * forgotten or the claim is deleted.
   *
   * @param volume any volume; need not be ours
   */
  public Outcome keepIfTaken(Volume volume) throws InterruptedException {
    return VolumeRules.isOurs(volume, names) && isTaken(volume) ? keep(volume) : Outcome.SETTLED;
  }

  private Outcome keep(Volume volume) throws InterruptedException {
    Outcome written = mark(volume, VolumeRules.TAKEN_BY);
    if (written.equals(Outcome.SETTLED)) {
      reporter.kept(volume);
    }
    return written;
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

  private WriteResult<Volume> finalize(Volume volume, List<String> finalizers)
      throws InterruptedException {
    return writer.patch(
        Kind.VOLUME,
        volume.key(),
        Document.patchOf(volume.meta()).set(finalizers, "metadata", "finalizers"));
  }

  private Outcome destroy(Volume known) throws InterruptedException {
    // the conditional write of commit() proves that the volume is unchanged
    LiveFacts judged =
        LiveFacts.NONE.with(
            new Question.One<>(Kind.VOLUME, known.key()), new Fact.Present<>(known));
    List<Volume> twins = volumes.volumesOfSameStorage(known);
    DestroyVerdict verdict =
        LiveDecisions.decide(
            reader,
            judged,
            facts -> VolumeRules.judgeDestruction(known, names, claims, twins, facts));
    return switch (verdict) {
      case DestroyVerdict.Confirmed(Volume volume) -> confirmed(volume, twins);
      case DestroyVerdict.Spare() -> Outcome.SETTLED;
      case DestroyVerdict.Kept(Volume volume) ->
          VolumeRules.saysKept(volume) ? Outcome.SETTLED : keep(volume);
      case DestroyVerdict.Twin(Volume other) -> waitForTwin(known, other);
      case DestroyVerdict.NotYet(String why) -> again(known, why);
      case DestroyVerdict.CannotTell(String why) ->
          new Outcome.Unanswered("volume " + known.meta().name() + ": " + why);
    };
  }

  private Outcome waitForTwin(Volume volume, Volume twin) {
    reporter.hasTwin(volume, twin);
    return again(volume, "volume " + twin.meta().name() + " represents the same storage");
  }

  /**
   * Reads what the driver needs, which may take long, before the point of no return. The
   * conditional write does not notice a twin that is created meanwhile, so the cache is read again.
   */
  private Outcome confirmed(Volume volume, List<Volume> judgedTwins) throws InterruptedException {
    return switch (service.prepare(volume)) {
      case Destruction.Ready(DestroyCall call) -> {
        Optional<Volume> newTwin =
            volumes.volumesOfSameStorage(volume).stream()
                .filter(twin -> !judgedTwins.contains(twin))
                .findFirst();
        yield newTwin.isPresent() ? waitForTwin(volume, newTwin.get()) : prepared(volume, call);
      }
      case Destruction.Not(Destroying why) -> ended(volume, why, stats.now());
    };
  }

  private Outcome prepared(Volume volume, DestroyCall call) throws InterruptedException {
    return switch (breaker.admit(volume.meta().uid())) {
      case HELD -> {
        reporter.held(volume, breaker.describeHold());
        yield new Outcome.CheckAgain(WHILE_HELD);
      }
      case FULL -> new Outcome.CheckAgain(SOON);
      case GRANTED -> {
        try {
          yield admitted(volume, call);
        } finally {
          breaker.spared(
              volume.meta().uid()); // unless the volume is deleted, which is recorded already
        }
      }
    };
  }

  private Outcome admitted(Volume volume, DestroyCall call) throws InterruptedException {
    WriteResult<Volume> committed = commit(volume);
    if (!(committed instanceof WriteResult.Written<Volume>(Volume going))) {
      return outcome(volume, "deleting it before its storage", committed);
    }
    long since = stats.now();
    return ended(going, call.run(), since);
  }

  /**
   * Point of no return: deletes the object, in the judged version, while our finalizer holds it.
   * The API server rejects the write if the volume changed since the decision, and no controller
   * binds a volume that is being deleted.
   */
  private WriteResult<Volume> commit(Volume volume) throws InterruptedException {
    Volume held = volume;
    if (!volume.finalizers().contains(VolumeRules.FINALIZER)) {
      WriteResult<Volume> added =
          finalize(volume, volume.meta().finalizersWith(VolumeRules.FINALIZER));
      if (!(added instanceof WriteResult.Written<Volume>(Volume now))) {
        return added;
      }
      held = now;
    }
    return writer.delete(Kind.VOLUME, held.key(), held.meta().uid(), held.meta().resourceVersion());
  }

  private Outcome ended(Volume volume, Destroying end, long since) throws InterruptedException {
    if (!(end instanceof Destroying.Unknown)) {
      memory.failures().forget(volume.meta().uid());
    }
    return switch (end) {
      case Destroying.Destroyed() -> {
        stats.deleted(volume.storageClass(), true, since);
        memory.addDestroyed(volume);
        breaker.destroyed(volume.meta().uid());
        yield remove(volumes.latest(volume));
      }
      case Destroying.Left(String _) -> Outcome.SETTLED;
      case Destroying.Failed(String message) -> {
        stats.deleted(volume.storageClass(), false, since);
        reporter.notDestroyed(volume, message);
        yield again(volume, message);
      }
      case Destroying.Unknown(String why) -> unanswered(volume, why);
    };
  }

  private Outcome unanswered(Volume volume, String why) {
    if (memory.failures().isNew(volume.meta().uid(), why)) {
      reporter.notDestroyed(volume, why);
    }
    return new Outcome.Unanswered("volume " + volume.meta().name() + ": " + why);
  }

  private Outcome remove(Volume volume) throws InterruptedException {
    return volume.finalizers().contains(VolumeRules.FINALIZER)
        ? left(
            volume,
            "removing its finalizer",
            finalize(volume, volume.meta().finalizersWithout(VolumeRules.FINALIZER)))
        : Outcome.SETTLED;
  }

  private Outcome left(Volume volume, String what, WriteResult<Volume> result) {
    if (result instanceof WriteResult.Gone<Volume>) {
      memory.forget(volume); // no watch event may follow
    }
    return outcome(volume, what, result);
  }

  private static Outcome outcome(Volume volume, String what, WriteResult<Volume> result) {
    return Outcome.after("volume " + volume.meta().name() + ": " + what, result);
  }

  private static Outcome again(Volume volume, String why) {
    return new Outcome.Retry(
        new Failure.Unreachable("volume " + volume.meta().name() + ": " + why));
  }
}
