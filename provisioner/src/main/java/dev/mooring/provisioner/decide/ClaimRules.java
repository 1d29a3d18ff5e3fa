package dev.mooring.provisioner.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.CsiMigration;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Volume;
import dev.mooring.storage.VolumeService;
import dev.mooring.storage.decide.DriverNames;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Decides whether to create a volume for a claim, as the {@code shouldProvision} of
 * sig-storage-lib-external-provisioner does.
 */
public final class ClaimRules {
  public static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

  private static final String PROVISIONER = "volume.kubernetes.io/storage-provisioner";
  private static final String BETA_PROVISIONER = "volume.beta.kubernetes.io/storage-provisioner";

  public sealed interface Verdict {
    record Ours(StorageClass storageClass) implements Verdict {}

    /** Do nothing: another provisioner is responsible, or the claim is not ready. */
    record NotOurs() implements Verdict {}

    // like NotOurs, but a change of the class may end it
    record NoNode() implements Verdict {}

    record NoClass(String name) implements Verdict {}

    /** The claim names our provisioner, but its class names another one. */
    record OtherClass(StorageClass storageClass) implements Verdict {
      public String describe() {
        return "StorageClass \"%s\" names provisioner \"%s\" now"
            .formatted(storageClass.meta().name(), storageClass.provisioner());
      }
    }
  }

  /**
   * Provisioner names that belong to us.
   *
   * @param own names in claims
   * @param inherited names in classes and volumes whose claims name one of {@code own}
   */
  public record Names(Set<String> own, Set<String> inherited) {
    boolean contains(String provisioner) {
      return own.contains(provisioner) || inherited.contains(provisioner);
    }
  }

  private ClaimRules() {}

  public static Verdict judge(
      Claim claim, Names names, Function<String, Optional<StorageClass>> classes) {
    boolean isBound = !claim.volumeName().isEmpty() && !needsStorageAnswer(claim);
    if (isBound || !isServedBy(claim, names.own())) {
      return new Verdict.NotOurs();
    }
    Optional<StorageClass> cachedClass = classes.apply(claim.className());
    if (cachedClass.isEmpty()) {
      return new Verdict.NoClass(claim.className());
    }
    StorageClass storageClass = cachedClass.get();
    if (!names.contains(storageClass.provisioner())) {
      return new Verdict.OtherClass(storageClass);
    }
    boolean waitsForConsumer =
        storageClass.binding() == StorageClass.Binding.WAIT_FOR_FIRST_CONSUMER;
    if (waitsForConsumer
        && claim.meta().annotation(SELECTED_NODE).isEmpty()
        && !needsStorageAnswer(claim)) {
      return new Verdict.NoNode();
    }
    return new Verdict.Ours(storageClass);
  }

  /**
   * Returns whether a provisioner with these names handles the claim. An unwanted claim belongs to
   * those that may have called their storage for it, whatever it names now.
   */
  public static boolean isServedBy(Claim claim, Set<String> names) {
    ClaimNote note = ClaimNote.of(claim);
    return isUnwanted(claim) && !note.provisioners().isEmpty()
        ? note.isOwnedBy(names)
        : namesProvisioner(claim, names);
  }

  // The claim needs no volume, but only the storage knows whether a volume was created for it.
  private static boolean needsStorageAnswer(Claim claim) {
    boolean hasOwnVolume = !claim.volumeName().isEmpty() && !hasOtherVolume(claim);
    return isUnwanted(claim) && isBeingMade(claim) && !hasOwnVolume;
  }

  public static boolean hasOtherVolume(Claim claim) {
    return !claim.volumeName().isEmpty()
        && !DriverNames.isOf(claim.meta().uid(), claim.volumeName());
  }

  public static boolean isUnwanted(Claim claim) {
    return claim.meta().isBeingDeleted() || hasOtherVolume(claim);
  }

  /**
   * Returns true if a volume with the claim's volume name is the claim's volume. A volume created
   * for an unwanted claim may meanwhile belong to another claim.
   */
  public static boolean isVolumeOf(Volume volume, Claim claim) {
    ClaimRef ref = volume.claimRef();
    return ref == null
        || ref.isEmpty()
        || ref.isFor(claim.key(), claim.meta().uid())
        || isUnwanted(claim) && volume.meta().hasAnnotation(VolumeRules.PROVISIONED_BY);
  }

  /** Returns true if some provisioner may be creating a volume; see {@link ClaimNote}. */
  public static boolean isBeingMade(Claim claim) {
    return claim.meta().finalizers().contains(VolumeService.BEING_MADE);
  }

  public static boolean isFinished(Claim claim) {
    return !claim.volumeName().isEmpty() && !isBeingMade(claim);
  }

  public static boolean namesProvisioner(Claim claim, Set<String> names) {
    return names.contains(provisionerOf(claim))
        || names.contains(claim.meta().annotation(CsiMigration.MIGRATED_TO));
  }

  /**
   * Returns the provisioners that have to remove the claim's {@link ClaimNote}: those that it
   * lists, else the one that the claim names.
   */
  public static Set<String> noteOwners(Claim claim) {
    Set<String> recorded = ClaimNote.of(claim).provisioners();
    if (!recorded.isEmpty()) {
      return recorded;
    }
    String migratedDriver = claim.meta().annotation(CsiMigration.MIGRATED_TO);
    String provisioner = migratedDriver.isEmpty() ? provisionerOf(claim) : migratedDriver;
    return provisioner.isEmpty() ? Set.of() : Set.of(provisioner);
  }

  /**
   * Returns the name in the claim; empty if none. The beta annotation counts only if the newer one
   * is absent.
   */
  private static String provisionerOf(Claim claim) {
    return claim.meta().hasAnnotation(PROVISIONER)
        ? claim.meta().annotation(PROVISIONER)
        : claim.meta().annotation(BETA_PROVISIONER);
  }
}
