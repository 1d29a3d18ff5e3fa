package dev.mooring.provisioner.execute;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.LiveDecisions;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.WriteResult;
import dev.mooring.live.LiveFacts;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.provisioner.decide.ClaimRules;
import dev.mooring.provisioner.decide.DestroyVerdict;
import dev.mooring.provisioner.decide.SeenClaims;
import dev.mooring.provisioner.decide.VolumeRules;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.Failure;
import dev.mooring.storage.DeletionBreaker;
import dev.mooring.storage.VolumeService;
import dev.mooring.storage.VolumeService.Destroying;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps the finalizer of our volumes right and destroys what is released (spec/provisioner-lib.md
 * 5). Before anything is destroyed, volume and claim are looked up on the server. Thread-safe.
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
  private final SeenClaims claims;
  // their objects have yet to go; the storage is not asked twice
  private final Set<Uid> destroyed = ConcurrentHashMap.newKeySet();
  // what the server did not answer when the volume was last to be destroyed
  private final Map<Uid, String> said = new ConcurrentHashMap<>();

  /**
   * Destroys nothing yet.
   *
   * @param breaker asked before anything is destroyed
   * @param claims what was seen of claims
   */
  public VolumeWork(
      VolumeService service,
      ClusterPorts ports,
      ProvisionListeners listeners,
      DeletionBreaker breaker,
      SeenClaims claims) {
    this.claims = claims;
    this.stats = listeners.stats();
    this.breaker = breaker;
    this.service = service;
    this.names = new ClaimRules.Names(service.names(), service.inheritedNames());
    this.writer = ports.writer();
    this.reader = ports.reader();
    this.reporter = listeners.reporter();
  }

  /** The volume's object is gone. */
  public void forget(Volume volume) {
    destroyed.remove(volume.meta().uid());
    said.remove(volume.meta().uid());
  }

  /** Does what is to be done about one of our volumes. */
  public Outcome tend(Volume volume) throws InterruptedException {
    if (isTaken(volume)) {
      return keep(volume);
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

  /**
   * A volume that a claim got only when it was being deleted says so before that is forgotten, or
   * the claim is let go.
   *
   * @param volume one that may be so, and need not be ours
   */
  public Outcome keepIfTaken(Volume volume) throws InterruptedException {
    return VolumeRules.isOurs(volume, names) && isTaken(volume) ? keep(volume) : Outcome.SETTLED;
  }

  private Outcome keep(Volume volume) throws InterruptedException {
    ClaimRef ref = Objects.requireNonNull(volume.claimRef());
    WriteResult<Volume> written =
        writer.patch(
            Kind.VOLUME,
            volume.key(),
            Document.patchOf(volume.meta())
                .set(ref.uid().toString(), "metadata", "annotations", VolumeRules.TAKEN_BY));
    if (written.written().isPresent()) {
      reporter.kept(volume);
    }
    return outcome(volume, "writing that it is not to be destroyed", written);
  }

  private WriteResult<Volume> finalize(Volume volume, List<String> finalizers)
      throws InterruptedException {
    return writer.patch(
        Kind.VOLUME,
        volume.key(),
        Document.patchOf(volume.meta()).set(finalizers, "metadata", "finalizers"));
  }

  /**
   * The server is asked last of all: nothing but the circuit breaker stands between it and the
   * storage.
   */
  private Outcome destroy(Volume known) throws InterruptedException {
    if (known.meta().isBeingDeleted() && destroyed.contains(known.meta().uid())) {
      return remove(known); // others took theirs off it meanwhile
    }
    DestroyVerdict verdict =
        LiveDecisions.decide(
            reader,
            LiveFacts.NONE,
            facts -> VolumeRules.mayBeDestroyed(known, names, claims, facts));
    return switch (verdict) {
      case DestroyVerdict.Confirmed(Volume volume) ->
          destroyed.contains(volume.meta().uid()) ? remove(volume) : confirmed(volume);
      case DestroyVerdict.Spare() -> Outcome.SETTLED;
      case DestroyVerdict.Kept(Volume volume) ->
          VolumeRules.saysTaken(volume) ? Outcome.SETTLED : keep(volume);
      case DestroyVerdict.NotYet(String why) -> again(known, why);
      case DestroyVerdict.CannotTell(String why) ->
          new Outcome.Unanswered("volume " + known.meta().name() + ": " + why);
      case DestroyVerdict.Ask ask -> throw new IllegalStateException("not asked: " + ask);
    };
  }

  private Outcome confirmed(Volume volume) throws InterruptedException {
    return switch (breaker.admit(volume.meta().uid())) {
      case HELD -> {
        reporter.held(volume, breaker.told());
        yield new Outcome.CheckAgain(WHILE_HELD);
      }
      case FULL -> new Outcome.CheckAgain(SOON);
      case GRANTED -> {
        try {
          yield admitted(volume);
        } finally {
          breaker.spared(volume.meta().uid()); // unless it was destroyed, which is noted already
        }
      }
    };
  }

  private Outcome admitted(Volume volume) throws InterruptedException {
    long since = stats.now();
    Destroying end = service.destroy(volume);
    if (!(end instanceof Destroying.Unknown)) {
      said.remove(volume.meta().uid());
    }
    return switch (end) {
      case Destroying.Destroyed() -> {
        stats.deleted(volume.storageClass(), true, since);
        destroyed.add(volume.meta().uid());
        breaker.destroyed(volume.meta().uid());
        yield remove(volume);
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

  /** It is tried again soon, and said once. */
  private Outcome unanswered(Volume volume, String why) {
    if (!why.equals(said.put(volume.meta().uid(), why))) {
      reporter.notDestroyed(volume, why);
    }
    return new Outcome.Unanswered("volume " + volume.meta().name() + ": " + why);
  }

  /**
   * What it stood for is gone: so may the finalizer that held the object, and then the object. In
   * this order nobody gets into the way: others take theirs off when it is being deleted.
   */
  private Outcome remove(Volume volume) throws InterruptedException {
    Volume free = volume;
    if (volume.finalizers().contains(VolumeRules.FINALIZER)) {
      WriteResult<Volume> freed =
          finalize(volume, volume.meta().finalizersWithout(VolumeRules.FINALIZER));
      if (!(freed instanceof WriteResult.Written<Volume>(Volume now))) {
        return left(volume, "removing its finalizer", freed);
      }
      free = now;
    }
    return free.meta().isBeingDeleted()
        ? Outcome.SETTLED
        : left(volume, "deleting it", writer.delete(Kind.VOLUME, free.key(), free.meta().uid()));
  }

  private Outcome left(Volume volume, String what, WriteResult<Volume> result) {
    if (result instanceof WriteResult.Gone<Volume>) {
      destroyed.remove(volume.meta().uid()); // nobody may come to forget it
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
