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

/** Decides whether to create a volume for a claim (spec/provisioner-lib.md 4.1). */
public final class ClaimRules {
  public static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

  private static final String PROVISIONER = "volume.kubernetes.io/storage-provisioner";
  private static final String BETA_PROVISIONER = "volume.beta.kubernetes.io/storage-provisioner";

  public sealed interface Verdict {
    record Ours(StorageClass storageClass) implements Verdict {}

    /** Do nothing: another provisioner is responsible, or the claim is not ready. */
    record NotOurs() implements Verdict {}

    record NoClass(String name) implements Verdict {}

    /** The claim names our provisioner, but its class names another one. */
    record OtherClass(StorageClass storageClass) implements Verdict {}
  }

  /**
   * Provisioner names that belong to us.
   *
   * @param own names in claims
   * @param inherited names in classes and volumes whose claims name one of {@code own}
   */
  public record Names(Set<String> own, Set<String> inherited) {
    boolean has(String provisioner) {
      return own.contains(provisioner) || inherited.contains(provisioner);
    }
  }

  private ClaimRules() {}

  public static Verdict judge(
      Claim claim, Names names, Function<String, Optional<StorageClass>> classes) {
    boolean bound = !claim.volumeName().isEmpty() && !isToBeAskedAbout(claim);
    if (bound || !isServedBy(claim, names.own())) {
      return new Verdict.NotOurs();
    }
    Optional<StorageClass> known = classes.apply(claim.className());
    if (known.isEmpty()) {
      return new Verdict.NoClass(claim.className());
    }
    StorageClass storageClass = known.get();
    if (!names.has(storageClass.provisioner())) {
      return new Verdict.OtherClass(storageClass);
    }
    boolean waits = storageClass.binding() == StorageClass.Binding.WAIT_FOR_FIRST_CONSUMER;
    if (waits && claim.meta().annotation(SELECTED_NODE).isEmpty() && !isToBeAskedAbout(claim)) {
      return new Verdict.NotOurs();
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
        ? note.isOf(names)
        : names(claim, names);
  }

  // The claim needs no volume, but only the storage knows whether a volume was created for it.
  private static boolean isToBeAskedAbout(Claim claim) {
    boolean done = !claim.volumeName().isEmpty() && !hasAnother(claim);
    return isUnwanted(claim) && isBeingMade(claim) && !done;
  }

  public static boolean hasAnother(Claim claim) {
    return !claim.volumeName().isEmpty()
        && !DriverNames.isOf(claim.meta().uid(), claim.volumeName());
  }

  public static boolean isUnwanted(Claim claim) {
    return claim.meta().isBeingDeleted() || hasAnother(claim);
  }

  /**
   * Returns true if a volume with the claim's volume name is the claim's volume. A volume created
   * for an unwanted claim may belong to another claim by now.
   */
  public static boolean isSavedAs(Volume volume, Claim claim) {
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

  public static boolean names(Claim claim, Set<String> names) {
    return names.contains(provisionerOf(claim))
        || names.contains(claim.meta().annotation(CsiMigration.MIGRATED_TO));
  }

  /**
   * Returns the provisioners that have to remove the claim's {@link ClaimNote}: those that it
   * lists, else the one that the claim names.
   */
  public static Set<String> owners(Claim claim) {
    Set<String> recorded = ClaimNote.of(claim).provisioners();
    if (!recorded.isEmpty()) {
      return recorded;
    }
    String moved = claim.meta().annotation(CsiMigration.MIGRATED_TO);
    String named = moved.isEmpty() ? provisionerOf(claim) : moved;
    return named.isEmpty() ? Set.of() : Set.of(named);
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
