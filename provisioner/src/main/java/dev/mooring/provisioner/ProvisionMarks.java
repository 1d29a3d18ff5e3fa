package dev.mooring.provisioner;

import dev.mooring.cluster.OwnedKey;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Volume;
import dev.mooring.provisioner.decide.ClaimRules;
import dev.mooring.provisioner.decide.VolumeRules;
import dev.mooring.storage.VolumeService;
import dev.mooring.storage.decide.Condemnation;
import dev.mooring.storage.decide.VolumeOrigin;
import java.util.List;
import java.util.Set;

/** Annotations and finalizers about provisioning, for other components that read them. */
public final class ProvisionMarks {
  public static final String FINALIZER = VolumeRules.FINALIZER;

  public static final String PROVISIONED_BY = VolumeRules.PROVISIONED_BY;

  /** Finalizer of claims: a volume may be under creation for the claim. */
  public static final OwnedKey BEING_MADE =
      OwnedKey.finalizer(
          Kind.CLAIM,
          VolumeService.BEING_MADE,
          "no other component removes it, and the claim stays while it has it");

  public static final OwnedKey BEING_MADE_BY =
      OwnedKey.annotation(
          Kind.CLAIM,
          VolumeService.BEING_MADE_BY,
          "it names the provisioners whose storage was called, and is harmless");

  /** Annotation of volumes: uid of a deleted claim that must not take the storage with it. */
  public static final OwnedKey TAKEN_BY =
      OwnedKey.annotation(
          Kind.VOLUME,
          VolumeRules.TAKEN_BY,
          "it states that the volume's storage is not deleted with its claim");

  /** Annotation of volumes: uid of a claim that was never bound to the volume. */
  public static final OwnedKey NEVER_BOUND =
      OwnedKey.annotation(
          Kind.VOLUME,
          VolumeOrigin.NEVER_BOUND,
          "it states that the volume's storage is not deleted with a claim that was never bound to it");

  public static final OwnedKey MADE_AT =
      OwnedKey.annotation(
          Kind.VOLUME,
          VolumeOrigin.MADE_AT,
          "it distinguishes the object from a restored copy and is harmless");

  /** Annotation of volumes: deadline before which the storage is not destroyed. */
  public static final OwnedKey CONDEMNED_UNTIL =
      OwnedKey.annotation(
          Kind.VOLUME,
          Condemnation.UNTIL,
          "it states how long the volume's storage outlives its claim");

  public static final List<OwnedKey> OWN =
      List.of(
          BEING_MADE,
          BEING_MADE_BY,
          TAKEN_BY,
          NEVER_BOUND,
          MADE_AT,
          CONDEMNED_UNTIL,
          OwnedKey.annotation(
              Kind.VOLUME,
              Condemnation.CLASS_DELAY,
              "it states the delay of the volume's class and is harmless"),
          ofCondemnation(Condemnation.SINCE),
          ofCondemnation(Condemnation.CLAIM_UID),
          ofCondemnation(Condemnation.MANIFEST));

  private ProvisionMarks() {}

  private static OwnedKey ofCondemnation(String annotation) {
    return OwnedKey.annotation(
        Kind.VOLUME, annotation, "it describes the deleted claim for 'mooring undo'");
  }

  public static boolean isBeingMade(Claim claim, String provisioner) {
    return ClaimRules.isBeingMade(claim) && startedProvisioners(claim).contains(provisioner);
  }

  public static Set<String> startedProvisioners(Claim claim) {
    return ClaimRules.noteOwners(claim);
  }

  public static boolean isMarkedKept(Volume volume) {
    return VolumeRules.isMarkedKept(volume);
  }

  public static boolean isCondemned(Volume volume) {
    return Condemnation.isCondemned(volume);
  }
}
