package dev.mooring.it.sim;

import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.storage.VolumeService;
import dev.mooring.storage.decide.VolumeOrigin;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Invariants of claims, volumes and storage after the faults have ended and nothing changes any
 * more.
 *
 * <p>Invariant: every Bound claim has its own Bound volume, every volume has the phase that its
 * claimRef implies, and no claim is Pending while a volume fits.
 *
 * <p>Invariant: the storage has at most one volume per claim, and none that no object records,
 * unless its process crashed.
 *
 * @param volumes all volumes
 * @param claims all claims
 * @param items volumes in the storage, by name
 * @param excused whether a volume's process ended, perhaps before it could save the volume
 * @param lostInRestore volumes in the storage when the API server was restored
 */
record FinalState(
    List<Volume> volumes,
    List<Claim> claims,
    Map<String, SimStorage.StoredVolume> items,
    Predicate<SimStorage.StoredVolume> excused,
    Set<String> lostInRestore) {
  /** Checks all of these invariants. */
  void check() {
    Set<String> assignedVolumes = new HashSet<>();
    for (Claim claim : claims) {
      if (claim.phase() == ClaimPhase.BOUND) {
        verify(
            assignedVolumes.add(claim.volumeName()),
            "two claims are bound to " + claim.volumeName());
        verify(
            volumes.stream().anyMatch(volume -> isOf(claim, volume)),
            claim.key() + " is Bound to " + claim.volumeName() + "; there are " + volumes);
      }
    }
    for (Volume volume : volumes) {
      checkVolume(volume);
    }
    for (Claim claim : claims) {
      checkWaiting(claim);
    }
    checkStorage();
  }

  private void checkVolume(Volume volume) {
    ClaimRef ref = volume.claimRef();
    Optional<Claim> owner =
        claims.stream().filter(c -> ref != null && c.meta().uid().equals(ref.uid())).findFirst();
    boolean owned = owner.isPresent();
    VolumePhase expected =
        ref == null || ref.uid().isNone()
            ? VolumePhase.AVAILABLE
            : owned ? VolumePhase.BOUND : VolumePhase.RELEASED;
    boolean isRejected = // its claim has another volume
        owner.filter(claim -> !isHeldBy(claim, volume)).isPresent();
    if (mayBeKept(volume)
        && (expected == VolumePhase.RELEASED || isRejected)
        && volume.reclaimPolicy() == ReclaimPolicy.DELETE) {
      verify(items.containsKey(volume.meta().name()), volume + " should have been kept");
      return;
    }
    if (volume.status().reason().equals(DeletionChecks.BEING_DESTROYED)
        && expected != VolumePhase.RELEASED) {
      verify( // a plugin has started to destroy its storage
          volume.phase() != VolumePhase.AVAILABLE && volume.phase() != VolumePhase.BOUND,
          volume + " should not be offered to a claim");
      return;
    }
    // as in Kubernetes, a failed volume stays Failed when its policy becomes Retain
    boolean isRescued =
        expected == VolumePhase.RELEASED
            && volume.phase() == VolumePhase.FAILED
            && volume.reclaimPolicy() == ReclaimPolicy.RETAIN;
    verify(volume.phase() == expected || isRescued, volume + " should be " + expected);
    verify(
        expected != VolumePhase.RELEASED
            || !items.containsKey(volume.meta().name())
            || volume.reclaimPolicy() == ReclaimPolicy.RETAIN,
        volume + " should have been deleted");
  }

  /**
   * Returns whether the volume may contain data of other origin than the claim that it names. Such
   * a volume is kept.
   */
  private static boolean mayBeKept(Volume volume) {
    boolean waits =
        volume.phase() == VolumePhase.AVAILABLE || volume.phase() == VolumePhase.PENDING;
    return VolumeAdmins.isRestored(volume.meta().name())
        || waits
            && volume.meta().hasAnnotation(VolumeOrigin.PROVISIONED_BY)
            && !VolumeOrigin.isOriginal(volume);
  }

  private static boolean isHeldBy(Claim claim, Volume volume) {
    return claim.volumeName().isEmpty() || claim.volumeName().equals(volume.meta().name());
  }

  /** Invariant: no claim is Pending if its class provisions or a volume fits. */
  private void checkWaiting(Claim claim) {
    if (claim.phase() != ClaimPhase.PENDING) {
      return;
    }
    if (SimUsers.waitsForPod(claim) && !claim.meta().hasAnnotation(BinderActors.SELECTED_NODE)) {
      return; // until a pod uses it
    }
    verify(claim.className().isEmpty(), claim.key() + " is Pending although its class provisions");
    for (Volume volume : volumes) {
      boolean free = volume.claimRef() == null && claim.volumeName().isEmpty();
      boolean reserved =
          volume.claimRef() != null
              && volume.claimRef().isFor(claim.key(), claim.meta().uid())
              && (claim.volumeName().isEmpty() || claim.volumeName().equals(volume.meta().name()));
      boolean suits =
          volume.storage().covers(claim.request())
              && volume.storageClass().isEmpty()
              && !volume.meta().isBeingDeleted();
      verify(
          !((free || reserved) && suits),
          claim.key() + " is Pending although a volume fits: " + volume);
    }
  }

  /**
   * Invariant: no claim has two volumes in the storage, and none is left over except by a crash.
   */
  private void checkStorage() {
    Set<Object> claimsServed = new HashSet<>();
    items.forEach((name, item) -> {
      verify(claimsServed.add(item.claimUid), "two volumes for " + item.claim);
      boolean exists = volumes.stream().anyMatch(v -> v.meta().name().equals(name));
      verify(
          exists
              || isBeingMadeFor(item.claimUid)
              || excused.test(item)
              || lostInRestore.contains(name),
          "volume " + name + " is left over in the storage; claims are " + claims);
    });
  }

  /**
   * Returns whether the claim records that a volume may exist. It keeps that record while its node
   * is gone and no other is selected.
   */
  private boolean isBeingMadeFor(Uid uid) {
    return claims.stream()
        .anyMatch(claim ->
            claim.meta().uid().equals(uid)
                && claim.meta().finalizers().contains(VolumeService.BEING_MADE)
                && claim.phase() == ClaimPhase.PENDING
                && claim.volumeName().isEmpty()
                && !claim.meta().isBeingDeleted()
                && SimUsers.waitsForPod(claim)
                && !claim.meta().hasAnnotation(BinderActors.SELECTED_NODE));
  }

  private static boolean isOf(Claim claim, Volume volume) {
    return volume.meta().name().equals(claim.volumeName())
        && volume.phase() == VolumePhase.BOUND
        && volume.claimRef() != null
        && volume.claimRef().uid().equals(claim.meta().uid());
  }

  static void verify(boolean holds, String message) {
    if (!holds) {
      throw new AssertionError(message);
    }
  }
}
