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
import dev.mooring.storage.decide.Condemnation;
import dev.mooring.storage.decide.VolumeIdentity;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Invariants of every destruction of a volume's storage.
 *
 * <p>Invariant: the volume was once Bound, created by a process, or kept by an administrator.
 *
 * <p>Invariant: the last write before the call deleted or marked the volume while it was Released
 * with the policy Delete.
 *
 * <p>Invariant: with a delay of deletions, the volume's deadline had passed at that write.
 *
 * <p>Invariant: no other object named the same storage when that write was made, unless that object
 * was so new that a cache may have missed it.
 */
final class DeletionChecks {
  /** Seconds after which every cache has an object that one process has written. */
  private static final long KNOWN_SECONDS = 60;

  /** Status reason of a volume while a plugin destroys its storage. */
  static final String BEING_DESTROYED = "BeingDestroyed";

  private final Simulation simulation;
  // created by a process, Bound once, or kept by an administrator
  private final Set<Uid> used = new HashSet<>();
  private final Set<Uid> committed = new HashSet<>();
  // committed before the deadline
  private final Set<Uid> committedEarly = new HashSet<>();
  // second of a process's first write to the volume
  private final Map<Uid, Long> firstWriteSeconds = new HashMap<>();
  // second since which the volume is Released
  private final Map<Uid, Long> released = new HashMap<>();
  private final Map<Uid, Volume> twins = new HashMap<>(); // twins at the write of the deletion

  DeletionChecks(Simulation simulation) {
    this.simulation = simulation;
  }

  /**
   * Records a write of a process, including a write that changes nothing and only verifies the
   * version.
   */
  <T extends Resource> void onWrite(@Nullable T previous, WriteResult<T> result) {
    if (!(result instanceof WriteResult.Written<T>(T writtenObject))
        || !(writtenObject instanceof Volume now)) {
      return;
    }
    if (previous == null || now.phase() == VolumePhase.BOUND || isKept(now)) {
      used.add(now.meta().uid());
    }
    firstWriteSeconds.putIfAbsent(now.meta().uid(), second());
    if (now.phase() == VolumePhase.RELEASED) {
      released.putIfAbsent(now.meta().uid(), second());
    } else {
      released.remove(now.meta().uid());
    }
    if (isCommit(previous, now)) {
      if (isToBeDestroyed(now)) {
        committed.add(now.meta().uid());
        recordDeadline(now);
        findTwin(now);
      } else {
        committed.remove(now.meta().uid());
      }
    }
  }

  private void recordDeadline(Volume volume) {
    boolean isDue =
        simulation.deletionDelay().isZero()
            || Condemnation.isCondemned(volume)
                && Condemnation.deadline(volume)
                    .filter(deadline -> !deadline.isAfter(simulation.clock().instant()))
                    .isPresent();
    if (isDue) {
      committedEarly.remove(volume.meta().uid());
    } else {
      committedEarly.add(volume.meta().uid());
    }
  }

  /**
   * Returns whether the write commits to the deletion. It deletes or marks the volume, or verifies
   * the version on which the decision was based. Other controllers also write to volumes that are
   * being deleted.
   */
  private static boolean isCommit(@Nullable Resource previous, Volume now) {
    Volume previousVolume = previous instanceof Volume volume ? volume : null;
    boolean isSame =
        previousVolume != null
            && previousVolume.meta().resourceVersion() == now.meta().resourceVersion();
    boolean deletes =
        now.meta().isBeingDeleted()
            && (previousVolume == null || !previousVolume.meta().isBeingDeleted());
    boolean marks = isMarked(now) && (previousVolume == null || !isMarked(previousVolume));
    return deletes || marks || isSame && (now.meta().isBeingDeleted() || isMarked(now));
  }

  private static boolean isMarked(Volume volume) {
    return volume.status().reason().equals(BEING_DESTROYED);
  }

  /**
   * Returns whether the volume is Released with the policy Retain. If it changes to Delete later,
   * an administrator has decided that.
   */
  private static boolean isKept(Volume volume) {
    return volume.phase() == VolumePhase.RELEASED && volume.reclaimPolicy() == ReclaimPolicy.RETAIN;
  }

  /** Called before administrators change the policy of kept, Released volumes to Delete. */
  void onPoliciesChange() {
    simulation.server().list(Kind.VOLUME).stream()
        .filter(DeletionChecks::isKept)
        .forEach(volume -> used.add(volume.meta().uid()));
  }

  private long second() {
    return simulation.clock().instant().getEpochSecond();
  }

  /**
   * Records a twin when the deletion is written; later twins no longer forbid it. A schedule may
   * stall the process for minutes before that write. The process must therefore know a twin only if
   * it was written a minute before the volume was Released.
   */
  private void findTwin(Volume volume) {
    twins.remove(volume.meta().uid());
    long releaseTime = released.getOrDefault(volume.meta().uid(), 0L);
    for (Volume otherVolume : simulation.server().list(Kind.VOLUME)) {
      Long firstWriteSecond = firstWriteSeconds.get(otherVolume.meta().uid());
      if (VolumeIdentity.areTwins(volume, otherVolume)
          && firstWriteSecond != null
          && releaseTime - firstWriteSecond > KNOWN_SECONDS) {
        twins.put(volume.meta().uid(), otherVolume);
      }
    }
  }

  private static boolean isToBeDestroyed(Volume volume) {
    ClaimRef ref = volume.claimRef();
    boolean isReleased = ref != null && !ref.uid().isNone();
    return volume.reclaimPolicy() == ReclaimPolicy.DELETE && isReleased;
  }

  /** Returns whether the last write that concerned the deletion of the volume allows it. */
  boolean isCommitted(Volume volume) {
    return committed.contains(volume.meta().uid());
  }

  /**
   * Checks the invariants when storage is being destroyed.
   *
   * @param volume the volume; null if its object was never saved
   */
  void onDestroy(@Nullable Volume volume) {
    onDestroy(volume, false);
  }

  /**
   * Checks the invariants when storage is being destroyed by a call that may have been sent long
   * ago.
   *
   * @param volume the volume; null if its object was never saved
   * @param wasCommitted whether the deletion was committed when the call was sent
   */
  void onDestroy(@Nullable Volume volume, boolean wasCommitted) {
    if (volume == null) {
      return;
    }
    verify(
        used.contains(volume.meta().uid()),
        volume + " was never Bound, but its storage is destroyed");
    verify(
        committed.remove(volume.meta().uid()) || wasCommitted,
        volume + " is destroyed without a write that allows it");
    verify(
        !committedEarly.contains(volume.meta().uid()),
        volume + " is destroyed before its deadline");
    Volume twin = twins.remove(volume.meta().uid());
    verify(twin == null, volume + " is destroyed although a twin exists: " + twin);
  }
}
