package dev.mooring.provisioner.decide;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.live.Step;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.CsiMigration;
import dev.mooring.model.Kind;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.storage.decide.OwnerDecider;
import dev.mooring.storage.decide.OwnerVerdict;
import dev.mooring.storage.decide.TwinDecider;
import dev.mooring.storage.decide.TwinVerdict;
import dev.mooring.storage.decide.VolumeOrigin;
import java.util.List;
import java.util.Optional;

/**
 * Decides what to do with a provisioned volume. Extends the {@code shouldDelete} of
 * sig-storage-lib-external-provisioner.
 */
public final class VolumeRules {
  public static final String FINALIZER = "external-provisioner.volume.kubernetes.io/finalizer";

  public static final String PROVISIONED_BY = VolumeOrigin.PROVISIONED_BY;

  /**
   * Annotation of volumes: uid of a claim that was bound while it was being deleted, although the
   * volume was not created for it. The storage is not deleted with that claim.
   */
  public static final String TAKEN_BY = "mooring.dev/taken-by-deleted-claim";

  public static final String DESTROY = "destroy";

  private VolumeRules() {}

  public static boolean isOurs(Volume volume, ClaimRules.Names names) {
    if (names.own().contains(volume.meta().annotation(CsiMigration.MIGRATED_TO))) {
      return true;
    }
    return volume.meta().hasAnnotation(PROVISIONED_BY)
        ? names.contains(volume.meta().annotation(PROVISIONED_BY))
        : volume.source().type().equals("csi")
            && names.own().contains(volume.source().attribute("driver"));
  }

  public static Optional<List<String>> finalizers(Volume volume) {
    boolean hasFinalizer = volume.finalizers().contains(FINALIZER);
    boolean needsFinalizer =
        volume.reclaimPolicy() == ReclaimPolicy.DELETE && !isMarkedKept(volume);
    if (hasFinalizer && !needsFinalizer) {
      return Optional.of(volume.meta().finalizersWithout(FINALIZER));
    }
    boolean lacksFinalizer = !hasFinalizer && needsFinalizer && !volume.meta().isBeingDeleted();
    return lacksFinalizer && volume.phase() == VolumePhase.BOUND
        ? Optional.of(volume.meta().finalizersWith(FINALIZER))
        : Optional.empty();
  }

  /** Returns false only for a volume that needs no write or deletion. */
  public static boolean mayNeedWork(Volume volume) {
    return volume.meta().isBeingDeleted()
        || volume.phase() == VolumePhase.RELEASED
        || finalizers(volume).isPresent();
  }

  public static boolean isToBeDestroyed(Volume volume) {
    boolean isFinished = volume.meta().isBeingDeleted() && !volume.finalizers().contains(FINALIZER);
    return !isFinished
        && volume.phase() == VolumePhase.RELEASED
        && volume.reclaimPolicy() == ReclaimPolicy.DELETE;
  }

  /**
   * Returns true if an administrator removed the claimRef after the object's deletion. Such a
   * volume can neither be bound nor deleted.
   */
  public static boolean isFreedTooLate(Volume volume) {
    ClaimRef ref = volume.claimRef();
    return volume.meta().isBeingDeleted()
        && volume.finalizers().contains(FINALIZER)
        && volume.reclaimPolicy() == ReclaimPolicy.DELETE
        && (ref == null || ref.uid().isNone());
  }

  public static boolean isMarkedTaken(Volume volume) {
    ClaimRef ref = volume.claimRef();
    return ref != null
        && !ref.uid().isNone()
        && volume.meta().annotation(TAKEN_BY).equals(ref.uid().toString());
  }

  public static boolean isMarkedKept(Volume volume) {
    return isMarkedTaken(volume) || VolumeOrigin.isMarkedNeverBound(volume);
  }

  /**
   * Returns whether a volume is due for deletion although it was never bound to its claim. The
   * binder that released it could not distinguish a restored volume from a used one.
   *
   * @param isSeenUnbound whether nothing shows that the volume was ever Bound
   * @param neverHadVolume whether the claim was deleted without a volume, or has another one
   */
  public static boolean isNeverBound(Volume volume, boolean isSeenUnbound, boolean neverHadVolume) {
    ClaimRef ref = volume.claimRef();
    return isSeenUnbound
        && ref != null
        && !ref.uid().isNone()
        && isToBeDestroyed(volume)
        && !VolumeOrigin.isToBeDestroyed(volume)
        && !VolumeOrigin.isOriginal(volume)
        && !(neverHadVolume && VolumeOrigin.isMadeFor(volume, ref.uid()));
  }

  /**
   * Returns true if the claim was being deleted before it got the volume, so that no pod used the
   * volume through it.
   *
   * @param hadNoVolume whether the claim was seen without a volume while it was being deleted
   * @param claim the claim, if it exists
   */
  public static boolean isTaken(Volume volume, boolean hadNoVolume, Optional<Claim> claim) {
    ClaimRef ref = volume.claimRef();
    if (ref == null
        || ref.uid().isNone()
        || VolumeOrigin.isMadeFor(volume, ref.uid())
        || volume.meta().annotation(TAKEN_BY).equals(DESTROY)) {
      return false;
    }
    boolean wasTakenLate =
        claim
            .filter(c -> c.meta().uid().equals(ref.uid()) && c.meta().isBeingDeleted())
            .filter(c -> volume.meta().created() > c.meta().deleted())
            .isPresent();
    return hadNoVolume || wasTakenLate;
  }

  /**
   * Decides whether the volume's storage may be deleted.
   *
   * @param judged the volume at the time of the request
   * @param names provisioner names that belong to us
   * @param twins cached volumes with the same storage
   */
  public static Step<DestroyVerdict> judgeDestruction(
      Volume judged,
      ClaimRules.Names names,
      ObservedClaims claims,
      List<Volume> twins,
      LiveFacts live) {
    return judgeDestruction(judged, names, claims, live)
        .flatMap(verdict ->
            verdict instanceof DestroyVerdict.Confirmed
                ? TwinDecider.decide(judged, twins, live).map(twin -> checkTwin(verdict, twin))
                : Step.decided(verdict));
  }

  private static DestroyVerdict checkTwin(DestroyVerdict verdict, TwinVerdict twinVerdict) {
    return switch (twinVerdict) {
      case TwinVerdict.None() -> verdict;
      case TwinVerdict.Exists(Volume twin) -> new DestroyVerdict.Twin(twin);
      case TwinVerdict.Unknown(Question<?> _, String message) ->
          new DestroyVerdict.Unknown(message);
    };
  }

  private static Step<DestroyVerdict> judgeDestruction(
      Volume judged, ClaimRules.Names names, ObservedClaims claims, LiveFacts live) {
    Question.ObjectRead<Volume> question = new Question.ObjectRead<>(Kind.VOLUME, judged.key());
    return switch (live.of(question)) {
      case Fact.NotAsked<Volume> _ -> Step.ask(question);
      case Fact.Absent<Volume> _ -> Step.decided(new DestroyVerdict.Spare());
      case Fact.Unknown<Volume>(String message) ->
          Step.decided(new DestroyVerdict.Unknown(message));
      case Fact.Present<Volume>(Volume liveVolume) ->
          liveVolume.meta().uid().equals(judged.meta().uid())
                  && isOurs(liveVolume, names)
                  && isToBeDestroyed(liveVolume)
              ? judgeVolume(liveVolume, claims, live)
              : Step.decided(new DestroyVerdict.Spare());
    };
  }

  private static Step<DestroyVerdict> judgeVolume(
      Volume volume, ObservedClaims claims, LiveFacts live) {
    ClaimRef ref = volume.claimRef();
    boolean hadNoVolume = ref != null && claims.hadNoVolume().test(ref.uid());
    return isMarkedKept(volume) || isTaken(volume, hadNoVolume, Optional.empty())
        ? Step.decided(new DestroyVerdict.Kept(volume))
        : OwnerDecider.decide(volume, live).map(owner -> judgeOwner(volume, owner, claims, live));
  }

  private static DestroyVerdict judgeOwner(
      Volume volume, OwnerVerdict owner, ObservedClaims claims, LiveFacts live) {
    return switch (owner) {
      case OwnerVerdict.Freed _ ->
          new DestroyVerdict.Spare(); // D8, D9: a change requeues the volume
      // the watch has yet to show whether the claim ever had the volume
      case OwnerVerdict.Ownerless() when isJustDeleted(volume, claims, live) ->
          new DestroyVerdict.NotYet("its claim was deleted a moment ago");
      case OwnerVerdict.Ownerless() -> new DestroyVerdict.Confirmed(volume); // D11, D13, D14
      case OwnerVerdict.Claimed(String reason) -> new DestroyVerdict.NotYet(reason); // D15
      case OwnerVerdict.Unknown(Question<?> _, String message) ->
          new DestroyVerdict.Unknown(message);
    };
  }

  private static boolean isJustDeleted(Volume volume, ObservedClaims claims, LiveFacts live) {
    ClaimRef ref = volume.claimRef();
    return ref != null
        && live.of(Kind.CLAIM, ref.claim()) instanceof Fact.Absent<Claim>
        && !VolumeOrigin.isMadeFor(volume, ref.uid())
        && claims.isCached(ref);
  }
}
