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
 * attachment is attached, and the driver has no volume that no object names.
 */
final class CsiGoals {
  private final SimServer server;
  private final CsiStorage storage;
  private final CsiOthers others;
  private final VolumeAdmins admins;
  private final @Nullable CsiGroupOthers groups;

  /**
   * Creates the checks.
   *
   * @param admins administrators who keep volumes
   * @param groups users of snapshots; null without snapshots
   */
  CsiGoals(
      SimServer server,
      CsiStorage storage,
      CsiOthers others,
      VolumeAdmins admins,
      @Nullable CsiGroupOthers groups) {
    this.admins = admins;
    this.server = server;
    this.storage = storage;
    this.others = others;
    this.groups = groups;
  }

  /** Returns the objects that are not in their desired state. */
  List<String> missed() {
    List<String> missed = new ArrayList<>();
    for (Claim claim : server.all(Kind.CLAIM)) {
      String why = missed(claim);
      if (!why.isEmpty()) {
        missed.add(claim.key() + " " + why + ": " + claim);
      }
    }
    for (Attachment attachment : server.all(Kind.ATTACHMENT)) {
      if (!attachment.attached() || attachment.meta().isBeingDeleted()) {
        missed.add("attachment " + attachment);
      }
    }
    for (Volume volume : server.all(Kind.VOLUME)) {
      if (volume.phase() == VolumePhase.RELEASED && !isKept(volume)) {
        missed.add("volume " + volume);
      }
    }
    missed.addAll(unknown());
    if (groups != null) {
      missed.addAll(groups.missed());
    }
    return missed;
  }

  private boolean isKept(Volume volume) {
    return volume.meta().has("mooring.dev/taken-by-deleted-claim")
        || volume.meta().has("mooring.dev/never-bound")
        || volume.reclaimPolicy() == ReclaimPolicy.RETAIN
        || hasTwin(volume)
        || admins.isKept(volume.source().attribute("volumeHandle"))
            && volume.meta().isBeingDeleted();
  }

  private boolean hasTwin(Volume volume) {
    return server.all(Kind.VOLUME).stream()
        .anyMatch(other -> VolumeIdentity.areTwins(volume, other));
  }

  private String missed(Claim claim) {
    if (claim.meta().isBeingDeleted()) {
      return others.isUsed(claim) || isCopied(claim) ? "" : "should be gone";
    }
    if (claim.phase() != ClaimPhase.BOUND) {
      boolean waits =
          claim.className().equals("later")
              && claim.meta().annotation("volume.kubernetes.io/selected-node").isEmpty();
      return waits || claim.hasDataSource() ? "" : "has no volume";
    }
    CsiStorage.Item item = itemOf(claim);
    if (item == null) {
      return "has a volume that the driver does not have";
    }
    if (item.bytes < claim.request().toBytesCeiling()
        || !claim.status().storage().covers(claim.request())) {
      return "is too small: " + item;
    }
    return claim.attributesClass().isEmpty()
            || claim.attributesClass().equals(claim.status().attributesClass())
                && claim.attributesClass().equals(item.parameters.get("iops"))
        ? ""
        : "should have another attributes class: " + item.parameters;
  }

  /**
   * Returns whether the claim is protected because a Pending claim of its namespace is to be
   * cloned.
   */
  private boolean isCopied(Claim claim) {
    return claim
            .meta()
            .finalizers()
            .contains("provisioner.storage.kubernetes.io/cloning-protection")
        && server.all(Kind.CLAIM).stream()
            .filter(c -> c.key().namespace().equals(claim.key().namespace()))
            .anyMatch(c -> c.hasDataSource() && c.phase() != ClaimPhase.BOUND);
  }

  private CsiStorage.Item itemOf(Claim claim) {
    Volume volume = server.find(Kind.VOLUME, ObjectKey.cluster(claim.volumeName()));
    return volume == null ? null : storage.items.get(volume.source().attribute("volumeHandle"));
  }

  private List<Volume> volumesOf(CsiStorage.Item item) {
    return server.all(Kind.VOLUME).stream()
        .filter(volume -> volume.source().attribute("volumeHandle").equals(item.id))
        .toList();
  }

  private boolean isNeverBound(CsiStorage.Item item, boolean late) {
    return volumesOf(item).stream()
        .filter(volume -> late || !VolumeOrigin.isOriginal(volume))
        .anyMatch(volume -> volume.phase() == VolumePhase.PENDING);
  }

  private boolean isBeingMade(CsiStorage.Item item) {
    return others.beingMade().stream().anyMatch(c -> item.name.equals("pvc-" + c.meta().uid()));
  }

  /** Returns driver volumes without an object, and objects that name the same volume. */
  private List<String> unknown() {
    List<String> unknown = new ArrayList<>();
    Set<String> known = new HashSet<>();
    for (Volume volume : server.all(Kind.VOLUME)) {
      if (!known.add(volume.source().attribute("volumeHandle")) && !hasTwin(volume)) {
        unknown.add("names the same volume as another object: " + volume);
      }
    }
    storage.items.values().stream()
        .filter(item -> !item.isForeign() && !known.contains(item.id))
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
  List<String> undead(Set<String> open) {
    return server.all(Kind.CLAIM).stream()
        .filter(claim -> !open.contains("pvc-" + claim.meta().uid()))
        .filter(others::isToGo)
        .map(Claim::toString)
        .toList();
  }

  /**
   * Returns the objects and volumes that are left after all users have deleted everything.
   *
   * @param late whether late writes may create a volume's object long after its recorded time; such
   *     a volume is kept, like a copy
   */
  List<String> leftBehind(boolean late) {
    List<String> left = new ArrayList<>();
    server.all(Kind.CLAIM).forEach(claim -> left.add("claim " + claim));
    server.all(Kind.ATTACHMENT).forEach(attachment -> left.add("attachment " + attachment));
    for (Volume volume : server.all(Kind.VOLUME)) {
      boolean waits =
          volume.phase() == VolumePhase.AVAILABLE || volume.phase() == VolumePhase.PENDING;
      if (!waits && !isKept(volume)) {
        left.add("volume " + volume);
      }
    }
    for (CsiStorage.Item item : storage.items.values()) {
      boolean isLeft = !item.isForeign() && !admins.isKept(item.id) && !isNeverBound(item, late);
      if (isLeft || !item.nodes.isEmpty()) {
        left.add(item + ", of " + volumesOf(item));
      }
    }
    if (groups != null) {
      left.addAll(groups.leftBehind());
    }
    return left;
  }
}
