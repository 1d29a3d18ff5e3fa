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
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The invariants of each destruction of a volume's storage, by any controller. */
final class DeletionChecks {
  /** The reason of a volume while a plugin destroys its storage. */
  static final String BEING_DESTROYED = "BeingDestroyed";

  private final Simulation simulation;
  private final Set<Uid> used = new HashSet<>(); // created by a process, or Bound once
  private final Map<Uid, Set<Uid>> cachedTwins = new HashMap<>(); // at the last write, by volume
  private final Map<Uid, Set<Uid>> committed = new HashMap<>(); // with the twins cached by then

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
        // the verdict came after the write before this one, with a cache at least as new
        committed.put(now.meta().uid(), cachedTwins.getOrDefault(now.meta().uid(), Set.of()));
      } else {
        committed.remove(now.meta().uid());
      }
    }
    cachedTwins.put(now.meta().uid(), cachedTwinsOf(now));
  }

  private Set<Uid> cachedTwinsOf(Volume volume) {
    return simulation.server().all(Kind.VOLUME).stream()
        .filter(other -> VolumeIdentity.areTwins(volume, other))
        .filter(other -> simulation.isInEveryCache(Kind.VOLUME, other))
        .map(other -> other.meta().uid())
        .collect(Collectors.toSet());
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
    Set<Uid> twins = committed.remove(volume.meta().uid());
    verify(twins != null, volume + " is destroyed after a write that forbids it");
    for (Volume other : simulation.server().all(Kind.VOLUME)) {
      verify(
          !VolumeIdentity.areTwins(volume, other) || !twins.contains(other.meta().uid()),
          volume + " is destroyed while its twin exists: " + other);
    }
  }
}
