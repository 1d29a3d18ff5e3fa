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
import org.jspecify.annotations.Nullable;

/** What must hold whenever the storage of a volume is destroyed, whoever destroys it. */
final class DeletionChecks {
  /** By then every cache has what one process has seen. */
  private static final long KNOWN_SECONDS = 60;

  /** The reason of a volume while a plugin destroys its storage. */
  static final String BEING_DESTROYED = "BeingDestroyed";

  private final Simulation simulation;
  private final Set<Uid> used = new HashSet<>(); // created by a process, or Bound once
  private final Set<Uid> committed = new HashSet<>();
  private final Map<Uid, Long> seen = new HashMap<>(); // when a process first wrote the volume
  private final Map<Uid, Long> released = new HashMap<>(); // since when the volume is Released
  private final Map<Uid, Volume> besides = new HashMap<>(); // twins when the deletion was written

  DeletionChecks(Simulation simulation) {
    this.simulation = simulation;
  }

  /** A process wrote something, if only to prove that nothing changed. */
  <T extends Resource> void written(@Nullable T before, WriteResult<T> result) {
    if (!(result instanceof WriteResult.Written<T>(T after)) || !(after instanceof Volume now)) {
      return;
    }
    if (before == null || now.phase() == VolumePhase.BOUND || isKept(now)) {
      used.add(now.meta().uid());
    }
    seen.putIfAbsent(now.meta().uid(), second());
    if (now.phase() == VolumePhase.RELEASED) {
      released.putIfAbsent(now.meta().uid(), second());
    } else {
      released.remove(now.meta().uid());
    }
    if (isCommit(before, now)) {
      if (mayBeDestroyed(now)) {
        committed.add(now.meta().uid());
        findTwin(now);
      } else {
        committed.remove(now.meta().uid());
      }
    }
  }

  /**
   * Whether the write deletes or marks the volume, or proves that it is still the version that was
   * judged. Other controllers write to volumes that are being deleted too.
   */
  private static boolean isCommit(@Nullable Resource before, Volume now) {
    Volume was = before instanceof Volume volume ? volume : null;
    boolean isSame = was != null && was.meta().resourceVersion() == now.meta().resourceVersion();
    boolean deletes = now.meta().isBeingDeleted() && (was == null || !was.meta().isBeingDeleted());
    boolean marks = isMarked(now) && (was == null || !isMarked(was));
    return deletes || marks || isSame && (now.meta().isBeingDeleted() || isMarked(now));
  }

  private static boolean isMarked(Volume volume) {
    return volume.status().reason().equals(BEING_DESTROYED);
  }

  /** A later change to Delete is an administrator's decision. */
  private static boolean isKept(Volume volume) {
    return volume.phase() == VolumePhase.RELEASED && volume.reclaimPolicy() == ReclaimPolicy.RETAIN;
  }

  /** Administrators are about to set the policy of Released volumes that they kept to Delete. */
  void policiesChange() {
    simulation.server().all(Kind.VOLUME).stream()
        .filter(DeletionChecks::isKept)
        .forEach(volume -> used.add(volume.meta().uid()));
  }

  private long second() {
    return simulation.clock().instant().getEpochSecond();
  }

  /**
   * The deletion is written, which is the last moment at which a twin forbids it. A schedule may
   * stall the process for minutes before that write: the process must know a twin only if the twin
   * was seen before the volume was Released.
   */
  private void findTwin(Volume volume) {
    besides.remove(volume.meta().uid());
    long judged = released.getOrDefault(volume.meta().uid(), 0L);
    for (Volume other : simulation.server().all(Kind.VOLUME)) {
      Long since = seen.get(other.meta().uid());
      if (VolumeIdentity.areTwins(volume, other)
          && since != null
          && judged - since > KNOWN_SECONDS) {
        besides.put(volume.meta().uid(), other);
      }
    }
  }

  private static boolean mayBeDestroyed(Volume volume) {
    ClaimRef ref = volume.claimRef();
    boolean isReleased = ref != null && !ref.uid().isNone();
    return volume.reclaimPolicy() == ReclaimPolicy.DELETE && isReleased;
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
    Volume twin = besides.remove(volume.meta().uid());
    verify(twin == null, volume + " is destroyed although a twin existed: " + twin);
  }
}
