package dev.mooring.it.sim;

import static dev.mooring.it.sim.FinalState.verify;

import dev.mooring.binder.BinderModule;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.Volume;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Workload: the binder with an in-process plugin. Users create and delete claims and volumes,
 * administrators change claimRefs and reclaim policies. Two binders may run at once, and the API
 * server may be restored from a backup.
 *
 * <p>Invariant, at every write: no volume moves from one claim to another, and no claim becomes
 * Lost while its volume exists.
 *
 * <p>Invariant, at every deletion: {@link DeletionChecks}, and no claim uses the volume.
 *
 * <p>Invariant at the end: {@link FinalState}.
 */
final class BinderWorkload implements Workload {
  private static final Pace PACE = new Pace(400, 800, 80, 1);
  private static final int INITIAL_ACTS = 3;

  /** An administrator rescues the volume before one in this many writes. */
  private static final int WRITES_PER_RESCUE = 4;

  /** Modes with nodes, a scheduler, and administrators who clear claimRefs. */
  private static final Set<FaultMode> WIDER =
      EnumSet.of(
          FaultMode.WIDE, FaultMode.FAULTY, FaultMode.OUTAGES, FaultMode.LATE, FaultMode.GIVEN_UP);

  private final Simulation simulation;
  private final SimServer server;
  private final SimStorage storage;
  private final BinderActors actors;
  private final VolumeAdmins admins;
  private final DeletionChecks deletions;
  // volumes in the storage when the server was restored
  private final Set<String> lostInRestore = new HashSet<>();
  private boolean restored;
  private long boundClaims;

  BinderWorkload(Simulation simulation) {
    this.simulation = simulation;
    server = simulation.server();
    storage = new SimStorage(simulation, this::checkDestroying);
    FaultMode mode = simulation.mode();
    boolean wide = WIDER.contains(mode);
    actors = new BinderActors(simulation, storage, wide);
    admins =
        new VolumeAdmins(
            simulation,
            SimStorage.NAME,
            handle -> "'hostPath':{'path':'" + SimStorage.pathOf(handle) + "'}");
    deletions = new DeletionChecks(simulation);
    actors.createInitialObjects();
    for (int i = 0; i < INITIAL_ACTS; i++) {
      actors.act();
    }
  }

  @Override
  public Pace pace() {
    return PACE;
  }

  @Override
  public SimProcess.Program program(Object process) {
    return new SimProcess.Program(
        List.of(new BinderModule()), storage.pluginsFor(process), Optional.empty());
  }

  @Override
  public boolean mayRunTwice() {
    return !simulation.compat().isKubernetes();
  }

  @Override
  public boolean mayStandbyMiss(Kind<?> kind) {
    return kind.equals(Kind.CLAIM) || kind.equals(Kind.VOLUME);
  }

  @Override
  public boolean mayBeRestored() {
    return true;
  }

  @Override
  public void onRestore() {
    restored = true;
    lostInRestore.addAll(storage.volumes().keySet());
  }

  @Override
  public void act() {
    int draw = simulation.random().nextInt(16);
    if (draw < 4) {
      actors.removeFinalizers();
    } else if (draw == 4) {
      actAsAdministrator();
    } else {
      actors.act();
    }
  }

  /**
   * Fault: an administrator rescues a volume after the binder has decided to destroy it, but before
   * it has written that.
   */
  @Override
  public void beforeWrite(Kind<?> kind, ObjectKey key) {
    if (!simulation.areFaultsOver()
        && kind.equals(Kind.VOLUME)
        && simulation.random().nextInt(WRITES_PER_RESCUE) == 0) {
      admins.rescue(key);
    }
  }

  /**
   * Lets an administrator create a second object for a volume, or restore a volume from a backup.
   * Not with {@code --compat=kcm}: kube-controller-manager destroys such volumes, and so do we.
   */
  private void actAsAdministrator() {
    if (simulation.compat().isKubernetes()) {
      return;
    }
    if (simulation.random().nextBoolean()) {
      admins.createOrDeleteTwin();
    } else {
      admins.restore(storage::addForeign);
    }
  }

  @Override
  public void actInOutage() {
    actors.act();
    actors.act();
  }

  @Override
  public boolean finishOtherWork() {
    return actors.removeFinalizers();
  }

  /**
   * Returns whether the API server may have lost the claim in a restore. A restored server assigns
   * the same resource versions again. A write with a version from a stale cache may therefore
   * succeed and bind a volume to a lost claim.
   */
  private boolean isForgotten(ClaimRef ref) {
    Claim claim = server.find(Kind.CLAIM, ref.claim());
    return restored && (claim == null || !claim.meta().uid().equals(ref.uid()));
  }

  /**
   * Invariant: no volume moves from one claim to another, and no claim becomes Lost while its
   * volume exists.
   */
  @Override
  public <T extends Resource> void onWrite(T previous, WriteResult<T> result) {
    deletions.onWrite(previous, result);
    if (!(result instanceof WriteResult.Written<T>(T writtenObject))) {
      return;
    }
    if (previous instanceof Volume was && writtenObject instanceof Volume now) {
      ClaimRef oldRef = was.claimRef();
      ClaimRef newRef = now.claimRef();
      if (oldRef != null && !oldRef.uid().isNone() && newRef != null && !newRef.uid().isNone()) {
        verify(
            oldRef.uid().equals(newRef.uid()) || isForgotten(oldRef),
            "volume " + was.key() + " was taken from its claim " + oldRef);
      }
    }
    if (writtenObject instanceof Claim claim) {
      boundClaims += claim.phase() == ClaimPhase.BOUND ? 1 : 0;
      Volume volume = server.find(Kind.VOLUME, ObjectKey.cluster(claim.volumeName()));
      ClaimRef ref = volume == null ? null : volume.claimRef();
      verify(
          simulation.mode() != FaultMode.TAKEOVERS
              || claim.phase() != ClaimPhase.LOST
              || ref == null
              || !ref.uid().equals(claim.meta().uid()),
          "claim " + claim.key() + " is Lost, but its volume exists: " + volume);
    }
  }

  /** Invariant: storage is destroyed only if its claim is gone or has another volume. */
  private void checkDestroying(String name) {
    Volume volume = server.find(Kind.VOLUME, ObjectKey.cluster(name));
    SimStorage.StoredVolume item = storage.volumes().get(name);
    if (item == null) {
      return;
    }
    deletions.onDestroy(volume);
    Claim claim = server.find(Kind.CLAIM, item.claim);
    boolean used =
        claim != null
            && claim.meta().uid().equals(item.claimUid)
            && claim.volumeName().equals(name)
            && !isOfAnother(volume, claim); // an administrator gave the volume to another claim
    verify(!used, "volume " + name + " is destroyed although its claim uses it: " + volume);
    boolean usedByAnother =
        volume != null
            && server.list(Kind.CLAIM).stream()
                .anyMatch(c ->
                    c.phase() == ClaimPhase.BOUND
                        && c.volumeName().equals(name)
                        && volume.claimRef() != null
                        && volume.claimRef().uid().equals(c.meta().uid()));
    verify(!usedByAnother, "volume " + name + " is destroyed although a claim uses it: " + volume);
  }

  private static boolean isOfAnother(@Nullable Volume volume, Claim claim) {
    ClaimRef ref = volume == null ? null : volume.claimRef();
    return ref != null && !ref.isFor(claim.key(), claim.meta().uid());
  }

  @Override
  public void finish() {
    deletions.onPoliciesChange();
    admins.undo();
    simulation.endFaults();
    simulation.awaitRest();
    new FinalState(
            server.list(Kind.VOLUME),
            server.list(Kind.CLAIM),
            storage.volumes(),
            item -> simulation.mayLeaveVolume(item.createdBy, item.unacknowledged),
            lostInRestore)
        .check();
  }

  @Override
  public Map<String, Long> occurrences() {
    return Map.of("claims bound", boundClaims, "volumes rescued", admins.rescueCount());
  }

  @Override
  public Map<String, Double> minimumOccurrences() {
    return Map.of("claims bound", 1.0);
  }
}
