package dev.mooring.it.sim;

import static dev.mooring.it.sim.FinalState.verify;

import dev.mooring.cluster.WriteResult;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Resource;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.storage.decide.VolumeIdentity;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The invariants of each destruction of a volume's storage, by any controller. */
final class DeletionChecks {
  /** By then every cache has a volume that was created. */
  private static final long KNOWN_SECONDS = 60;

  /** The reason of a volume while a plugin destroys its storage. */
  static final String BEING_DESTROYED = "BeingDestroyed";

  private final Simulation simulation;
  private final Set<Uid> used = new HashSet<>(); // created by a process, or Bound once
  private final Set<Uid> committed = new HashSet<>();

  DeletionChecks(Simulation simulation) {
    this.simulation = simulation;
  }

  /** A process wrote something, if only to prove that nothing changed. */
  <T extends Resource> void written(@Nullable T before, WriteResult<T> result) {
    if (!(result instanceof WriteResult.Written<T>(T after)) || !(after instanceof Volume now)) {
      return;
    }
    boolean isAdministrators =
        now.phase() == VolumePhase.RELEASED && now.reclaimPolicy() == ReclaimPolicy.RETAIN;
    if (before == null || now.phase() == VolumePhase.BOUND || isAdministrators) {
      used.add(now.meta().uid());
    }
    if (now.meta().isBeingDeleted() || now.status().reason().equals(BEING_DESTROYED)) {
      if (mayBeDestroyed(now)) {
        committed.add(now.meta().uid());
      } else {
        committed.remove(now.meta().uid());
      }
    }
  }

  private static boolean mayBeDestroyed(Volume volume) {
    ClaimRef ref = volume.claimRef();
    boolean isReleased = ref != null && !ref.uid().isNone();
    boolean isAbandoned = ref == null && volume.meta().isBeingDeleted();
    return volume.reclaimPolicy() == ReclaimPolicy.DELETE && (isReleased || isAbandoned);
  }

  /**
   * The storage of a volume is being destroyed.
   *
   * @param volume the volume; null if it was never saved
   */
  void destroying(@Nullable Volume volume) {
    if (volume == null) {
      return;
    }
    verify(
        used.contains(volume.meta().uid()),
        volume + " was never Bound, and its storage is destroyed");
    verify(
        committed.remove(volume.meta().uid()),
        volume + " is destroyed after a write that forbids it");
    long now = simulation.clock().instant().getEpochSecond();
    for (Volume other : simulation.server().all(Kind.VOLUME)) {
      verify(
          !VolumeIdentity.areTwins(volume, other) || now - other.meta().created() <= KNOWN_SECONDS,
          volume + " is destroyed while its twin exists: " + other);
    }
  }
}
