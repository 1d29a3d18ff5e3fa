package dev.mooring.it.sim;

import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.storage.decide.VolumeIdentity;
import dev.mooring.storage.decide.VolumeOrigin;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Invariants of a {@link CsiWorkload} after the faults have ended and nothing changes any longer.
 *
 * <p>Invariant: every claim has the volume, size and attributes class that it requests, every
 * attachment is attached, and the driver has no volume that no object names. Every claim reports
 * the problems of its volume. No claim waits for a node without the driver.
 */
final class CsiFinalState {
  private final SimServer server;
  private final CsiDriverStorage storage;
  private final CsiActors actors;
  private final VolumeAdmins admins;
  private final SimVolumeHealth health;
  private final @Nullable SnapshotUsers snapshotUsers;

  /**
   * Creates the checks.
   *
   * @param admins administrators who keep volumes
   * @param health problems of the driver's volumes
   * @param snapshotUsers users of snapshots; null without snapshots
   */
  CsiFinalState(
      SimServer server,
      CsiDriverStorage storage,
      CsiActors actors,
      VolumeAdmins admins,
      SimVolumeHealth health,
      @Nullable SnapshotUsers snapshotUsers) {
    this.admins = admins;
    this.health = health;
    this.server = server;
    this.storage = storage;
    this.actors = actors;
    this.snapshotUsers = snapshotUsers;
  }

  /** Returns the objects that are not in their desired state. */
  List<String> findUnmet() {
    List<String> unmetGoals = new ArrayList<>();
    for (Claim claim : server.list(Kind.CLAIM)) {
      String unmetGoal = findUnmet(claim);
      if (!unmetGoal.isEmpty()) {
        unmetGoals.add(claim.key() + " " + unmetGoal + ": " + claim);
      }
    }
    for (Attachment attachment : server.list(Kind.ATTACHMENT)) {
      if (!attachment.attached() || attachment.meta().isBeingDeleted()) {
        unmetGoals.add("attachment " + attachment);
      }
    }
    for (Volume volume : server.list(Kind.VOLUME)) {
      if (volume.phase() == VolumePhase.RELEASED && !isKept(volume)) {
        unmetGoals.add("volume " + volume);
      }
    }
    unmetGoals.addAll(findUnknown());
    if (snapshotUsers != null) {
      unmetGoals.addAll(snapshotUsers.findUnmet());
    }
    return unmetGoals;
  }

  private boolean isKept(Volume volume) {
    return volume.meta().hasAnnotation("mooring.dev/taken-by-deleted-claim")
        || volume.meta().hasAnnotation("mooring.dev/never-bound")
        || volume.reclaimPolicy() == ReclaimPolicy.RETAIN
        || hasTwin(volume)
        || admins.isKept(volume.source().attribute("volumeHandle"))
            && volume.meta().isBeingDeleted();
  }

  private boolean hasTwin(Volume volume) {
    return server.list(Kind.VOLUME).stream()
        .anyMatch(other -> VolumeIdentity.areTwins(volume, other));
  }

  private String findUnmet(Claim claim) {
    if (claim.meta().isBeingDeleted()) {
      return actors.isUsed(claim) || isSourceOfPendingClaim(claim) || mayWaitForZone(claim)
          ? ""
          : "should be gone";
    }
    String node = claim.meta().annotation(CsiActors.SELECTED_NODE);
    if (claim.phase() != ClaimPhase.BOUND
        && !node.isEmpty()
        && !claim.hasDataSource() // an invalid source is noticed before the node
        && server.find(Kind.CSI_NODE, ObjectKey.cluster(node)) == null) {
      return "was not scheduled again although the driver is not on its node";
    }
    if (claim.phase() != ClaimPhase.BOUND) {
      boolean waits = claim.className().equals("later") && node.isEmpty() && !actors.isUsed(claim);
      return waits || claim.hasDataSource() ? "" : "has no volume";
    }
    CsiDriverStorage.StoredVolume item = itemOf(claim);
    if (item == null) {
      return "has a volume that the driver does not have";
    }
    if (item.bytes < claim.request().toBytesCeiling()
        || !claim.status().storage().covers(claim.request())) {
      return "is too small: " + item;
    }
    String unreported = health.findUnmet(claim, item);
    if (!unreported.isEmpty()) {
      return unreported;
    }
    return claim.attributesClass().isEmpty()
            || claim.attributesClass().equals(claim.status().attributesClass())
                && claim.attributesClass().equals(item.parameters.get("iops"))
        ? ""
        : "should have another attributes class: " + item.parameters;
  }

  /**
   * Returns whether the driver may still reject the repeated call for a deleted claim, because the
   * call names a zone without storage.
   */
  private boolean mayWaitForZone(Claim claim) {
    return actors.nodes().isAnyGone() && actors.claimsWithPossibleVolume().contains(claim);
  }

  /**
   * Returns whether the claim is protected because a Pending claim of its namespace is to be
   * cloned.
   */
  private boolean isSourceOfPendingClaim(Claim claim) {
    return claim
            .meta()
            .finalizers()
            .contains("provisioner.storage.kubernetes.io/cloning-protection")
        && server.list(Kind.CLAIM).stream()
            .filter(c -> c.key().namespace().equals(claim.key().namespace()))
            .anyMatch(c -> c.hasDataSource() && c.phase() != ClaimPhase.BOUND);
  }

  private CsiDriverStorage.StoredVolume itemOf(Claim claim) {
    Volume volume = server.find(Kind.VOLUME, ObjectKey.cluster(claim.volumeName()));
    return volume == null ? null : storage.items.get(volume.source().attribute("volumeHandle"));
  }

  private List<Volume> volumesOf(CsiDriverStorage.StoredVolume item) {
    return server.list(Kind.VOLUME).stream()
        .filter(volume -> volume.source().attribute("volumeHandle").equals(item.id))
        .toList();
  }

  private boolean isNeverBound(CsiDriverStorage.StoredVolume item, boolean hasLateWrites) {
    return volumesOf(item).stream()
        .filter(volume -> hasLateWrites || !VolumeOrigin.isOriginal(volume))
        .anyMatch(volume -> volume.phase() == VolumePhase.PENDING);
  }

  private boolean isBeingMade(CsiDriverStorage.StoredVolume item) {
    return actors.claimsWithPossibleVolume().stream()
        .anyMatch(c -> item.name.equals("pvc-" + c.meta().uid()));
  }

  /** Returns driver volumes without an object, and objects that name the same volume. */
  private List<String> findUnknown() {
    List<String> unknown = new ArrayList<>();
    Set<String> knownHandles = new HashSet<>();
    for (Volume volume : server.list(Kind.VOLUME)) {
      if (!knownHandles.add(volume.source().attribute("volumeHandle")) && !hasTwin(volume)) {
        unknown.add("names the same volume as another object: " + volume);
      }
    }
    storage.items.values().stream()
        .filter(item -> !item.isForeign() && !knownHandles.contains(item.id))
        .filter(item -> !admins.isKept(item.id))
        .filter(item -> !isBeingMade(item)) // its source may be too large by now to be copied
        .forEach(item -> unknown.add("no object names " + item));
    return unknown;
  }

  /**
   * Returns the deleted claims that should be gone.
   *
   * @param open names of volumes that may exist; their claims stay
   */
  List<String> findStuckDeletions(Set<String> open) {
    return server.list(Kind.CLAIM).stream()
        .filter(claim -> !open.contains("pvc-" + claim.meta().uid()))
        .filter(actors::shouldBeGone)
        .map(Claim::toString)
        .toList();
  }

  /**
   * Returns the objects and volumes that are left after all users have deleted everything.
   *
   * @param hasLateWrites whether late writes may create a volume's object long after its recorded
   *     time; such a volume is kept, like a copy
   */
  List<String> findLeftovers(boolean hasLateWrites) {
    List<String> leftovers = new ArrayList<>();
    server.list(Kind.CLAIM).forEach(claim -> leftovers.add("claim " + claim));
    server.list(Kind.ATTACHMENT).forEach(attachment -> leftovers.add("attachment " + attachment));
    for (Volume volume : server.list(Kind.VOLUME)) {
      boolean waits =
          volume.phase() == VolumePhase.AVAILABLE || volume.phase() == VolumePhase.PENDING;
      if (!waits && !isKept(volume)) {
        leftovers.add("volume " + volume);
      }
    }
    for (CsiDriverStorage.StoredVolume item : storage.items.values()) {
      boolean isLeft =
          !item.isForeign() && !admins.isKept(item.id) && !isNeverBound(item, hasLateWrites);
      if (isLeft || !item.nodes.isEmpty()) {
        leftovers.add(item + ", of " + volumesOf(item));
      }
    }
    if (snapshotUsers != null) {
      leftovers.addAll(snapshotUsers.findLeftovers());
    }
    return leftovers;
  }
}
