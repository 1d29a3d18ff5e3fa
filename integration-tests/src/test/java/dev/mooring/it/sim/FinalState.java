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
 * The cluster at rest, and what must hold there.
 *
 * @param volumes all volumes
 * @param claims all claims
 * @param items the volumes in the storage, by name
 * @param excused matches volumes of processes that ended, perhaps before they could save them
 * @param forgiven names of volumes in the storage that a restored server does not know
 */
record FinalState(
    List<Volume> volumes,
    List<Claim> claims,
    Map<String, SimStorage.Item> items,
    Predicate<SimStorage.Item> excused,
    Set<String> forgiven) {
  /** Checks that claims and volumes fit together. */
  void check() {
    Set<String> given = new HashSet<>();
    for (Claim claim : claims) {
      if (claim.phase() == ClaimPhase.BOUND) {
        verify(given.add(claim.volumeName()), "two claims have " + claim.volumeName());
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
      verify(items.containsKey(volume.meta().name()), volume + " ought to have been kept");
      return;
    }
    if (volume.status().reason().equals(DeletionChecks.BEING_DESTROYED)
        && expected != VolumePhase.RELEASED) {
      verify( // a plugin began to destroy its storage
          volume.phase() != VolumePhase.AVAILABLE && volume.phase() != VolumePhase.BOUND,
          volume + " ought not to be given to a claim");
      return;
    }
    verify(volume.phase() == expected, volume + " ought to be " + expected);
    verify(
        expected != VolumePhase.RELEASED
            || !items.containsKey(volume.meta().name())
            || volume.reclaimPolicy() == ReclaimPolicy.RETAIN,
        volume + " ought to have been deleted");
  }

  /** Returns whether the volume may hold data that is older than the claim that it names. */
  private static boolean mayBeKept(Volume volume) {
    boolean waits =
        volume.phase() == VolumePhase.AVAILABLE || volume.phase() == VolumePhase.PENDING;
    return VolumeAdmins.isRestored(volume.meta().name())
        || waits
            && volume.meta().has(VolumeOrigin.PROVISIONED_BY)
            && !VolumeOrigin.isOriginal(volume);
  }

  private static boolean isHeldBy(Claim claim, Volume volume) {
    return claim.volumeName().isEmpty() || claim.volumeName().equals(volume.meta().name());
  }

  /** Checks that no claim waits that could be bound. */
  private void checkWaiting(Claim claim) {
    if (claim.phase() != ClaimPhase.PENDING) {
      return;
    }
    if (WholeUsers.waitsForPod(claim) && !claim.meta().has(BinderOthers.SELECTED_NODE)) {
      return; // waits for a pod
    }
    verify(claim.className().isEmpty(), claim.key() + " has a class that makes volumes and waits");
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
      verify(!((free || reserved) && suits), claim.key() + " waits although there is " + volume);
    }
  }

  /** Checks that no claim has two volumes, and that only a crash leaves a volume behind. */
  private void checkStorage() {
    Set<Object> claimsServed = new HashSet<>();
    items.forEach((name, item) -> {
      verify(claimsServed.add(item.claimUid), "two volumes for " + item.claim);
      boolean known = volumes.stream().anyMatch(v -> v.meta().name().equals(name));
      verify(
          known || isBeingMadeFor(item.claimUid) || excused.test(item) || forgiven.contains(name),
          "volume " + name + " is left behind in the storage; claims are " + claims);
    });
  }

  /**
   * Returns whether the claim's note says that a volume may exist: the node is gone, and no other
   * one is selected.
   */
  private boolean isBeingMadeFor(Uid uid) {
    return claims.stream()
        .anyMatch(claim ->
            claim.meta().uid().equals(uid)
                && claim.meta().finalizers().contains(VolumeService.BEING_MADE)
                && claim.phase() == ClaimPhase.PENDING
                && claim.volumeName().isEmpty()
                && !claim.meta().isBeingDeleted()
                && WholeUsers.waitsForPod(claim)
                && !claim.meta().has(BinderOthers.SELECTED_NODE));
  }

  private static boolean isOf(Claim claim, Volume volume) {
    return volume.meta().name().equals(claim.volumeName())
        && volume.phase() == VolumePhase.BOUND
        && volume.claimRef() != null
        && volume.claimRef().uid().equals(claim.meta().uid());
  }

  static void verify(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }
}
