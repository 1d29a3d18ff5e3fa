package dev.mooring.provisioner.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.Migration;
import dev.mooring.model.StorageClass;
import dev.mooring.storage.VolumeService;
import dev.mooring.storage.decide.DriverNames;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Whether a volume is to be made for a claim (spec/provisioner-lib.md 4.1). */
public final class ClaimRules {
  /** On a claim: the node that its pod will run on. */
  public static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

  private static final String PROVISIONER = "volume.kubernetes.io/storage-provisioner";
  private static final String BETA_PROVISIONER = "volume.beta.kubernetes.io/storage-provisioner";

  /** Whose turn it is. */
  public sealed interface Verdict {
    /** Ours: of that class. */
    record Ours(StorageClass storageClass) implements Verdict {}

    /** Not ours, not yet, or not any more. */
    record NotOurs() implements Verdict {}

    /** Ours, but its class is not there. */
    record NoClass(String name) implements Verdict {}

    /** It names us, and its class names another provisioner. */
    record OtherClass(StorageClass storageClass) implements Verdict {}
  }

  /**
   * The provisioner names that are ours.
   *
   * @param own those that claims name
   * @param inherited those of classes and volumes whose claims name one of ours all the same
   */
  public record Names(Set<String> own, Set<String> inherited) {
    boolean has(String provisioner) {
      return own.contains(provisioner) || inherited.contains(provisioner);
    }
  }

  private ClaimRules() {}

  /**
   * Judges a claim.
   *
   * @param classes finds a class by its name
   */
  public static Verdict judge(
      Claim claim, Names names, Function<String, Optional<StorageClass>> classes) {
    boolean bound = !claim.volumeName().isEmpty() && !isToBeAskedAbout(claim);
    if (bound || !names(claim, names.own())) {
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

  /** It needs none, and only the storage knows whether one was made for it, on whatever node. */
  private static boolean isToBeAskedAbout(Claim claim) {
    boolean done = !claim.volumeName().isEmpty() && !hasAnother(claim);
    return isUnwanted(claim) && isBeingMade(claim) && !done;
  }

  /** Whether the claim got another volume than one that was made for it. */
  public static boolean hasAnother(Claim claim) {
    return !claim.volumeName().isEmpty()
        && !DriverNames.isOf(claim.meta().uid(), claim.volumeName());
  }

  /** Whether nobody needs a volume that is made for the claim now. */
  public static boolean isUnwanted(Claim claim) {
    return claim.meta().isBeingDeleted() || hasAnother(claim);
  }

  /** Whether the claim says that a volume may be being made for it. */
  public static boolean isBeingMade(Claim claim) {
    return claim.meta().finalizers().contains(VolumeService.BEING_MADE);
  }

  /** Whether the claim names one of these provisioners, itself or since its own was moved. */
  public static boolean names(Claim claim, Set<String> names) {
    return names.contains(provisionerOf(claim))
        || names.contains(claim.meta().annotation(Migration.MIGRATED_TO));
  }

  /** The older annotation counts only where the newer one is absent. */
  private static String provisionerOf(Claim claim) {
    return claim.meta().has(PROVISIONER)
        ? claim.meta().annotation(PROVISIONER)
        : claim.meta().annotation(BETA_PROVISIONER);
  }
}
