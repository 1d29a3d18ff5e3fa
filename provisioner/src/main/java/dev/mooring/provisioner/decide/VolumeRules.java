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

/** Decides what to do with a provisioned volume (spec/provisioner-lib.md 5). */
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
        ? names.has(volume.meta().annotation(PROVISIONED_BY))
        : volume.source().type().equals("csi")
            && names.own().contains(volume.source().attribute("driver"));
  }

  public static Optional<List<String>> finalizers(Volume volume) {
    boolean present = volume.finalizers().contains(FINALIZER);
    boolean destroyed = volume.reclaimPolicy() == ReclaimPolicy.DELETE && !saysKept(volume);
    if (present && !destroyed) {
      return Optional.of(volume.meta().finalizersWithout(FINALIZER));
    }
    boolean missing = !present && destroyed && !volume.meta().isBeingDeleted();
    return missing && volume.phase() == VolumePhase.BOUND
        ? Optional.of(volume.meta().finalizersWith(FINALIZER))
        : Optional.empty();
  }

  public static boolean isToBeDestroyed(Volume volume) {
    boolean done = volume.meta().isBeingDeleted() && !volume.finalizers().contains(FINALIZER);
    return !done
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

  public static boolean saysTaken(Volume volume) {
    ClaimRef ref = volume.claimRef();
    return ref != null
        && !ref.uid().isNone()
        && volume.meta().annotation(TAKEN_BY).equals(ref.uid().toString());
  }

  public static boolean saysKept(Volume volume) {
    return saysTaken(volume) || VolumeOrigin.saysNeverBound(volume);
  }

  /**
   * Returns whether a volume is due for deletion although it was never bound to its claim. The
   * binder that released it could not distinguish a restored volume from a used one.
   *
   * @param seenUnbound whether nothing shows that the volume was ever Bound
   * @param neverHad whether the claim went without a volume, or has another one
   */
  public static boolean isNeverBound(Volume volume, boolean seenUnbound, boolean neverHad) {
    ClaimRef ref = volume.claimRef();
    return seenUnbound
        && ref != null
        && !ref.uid().isNone()
        && isToBeDestroyed(volume)
        && !VolumeOrigin.isToBeDestroyed(volume)
        && !VolumeOrigin.isOriginal(volume)
        && !(neverHad && VolumeOrigin.isMadeFor(volume, ref.uid()));
  }

  /**
   * Returns true if the claim was being deleted before it got the volume, so that no pod used the
   * volume through it.
   *
   * @param hadNone whether the claim was seen without a volume while it was being deleted
   * @param claim the claim, if it exists
   */
  public static boolean isTaken(Volume volume, boolean hadNone, Optional<Claim> claim) {
    ClaimRef ref = volume.claimRef();
    if (ref == null
        || ref.uid().isNone()
        || VolumeOrigin.isMadeFor(volume, ref.uid())
        || volume.meta().annotation(TAKEN_BY).equals(DESTROY)) {
      return false;
    }
    boolean younger =
        claim
            .filter(c -> c.meta().uid().equals(ref.uid()) && c.meta().isBeingDeleted())
            .filter(c -> volume.meta().created() > c.meta().deleted())
            .isPresent();
    return hadNone || younger;
  }

  /**
   * Decides whether the volume's storage may be deleted.
   *
   * @param judged the volume at the time of the request
   * @param names provisioner names that belong to us
   * @param twins cached volumes with the same storage
   */
  public static Step<DestroyVerdict> judgeDestruction(
      Volume judged, ClaimRules.Names names, SeenClaims seen, List<Volume> twins, LiveFacts live) {
    return judgeDestruction(judged, names, seen, live)
        .then(verdict ->
            verdict instanceof DestroyVerdict.Confirmed
                ? TwinDecider.decide(judged, twins, live).map(twin -> unlessTwin(verdict, twin))
                : Step.decided(verdict));
  }

  private static DestroyVerdict unlessTwin(DestroyVerdict verdict, TwinVerdict twin) {
    return switch (twin) {
      case TwinVerdict.None() -> verdict;
      case TwinVerdict.Exists(Volume other) -> new DestroyVerdict.Twin(other);
      case TwinVerdict.Unknown(Question<?> _, String why) -> new DestroyVerdict.CannotTell(why);
    };
  }

  private static Step<DestroyVerdict> judgeDestruction(
      Volume judged, ClaimRules.Names names, SeenClaims seen, LiveFacts live) {
    Question.One<Volume> question = new Question.One<>(Kind.VOLUME, judged.key());
    return switch (live.of(question)) {
      case Fact.NotAsked<Volume> _ -> Step.ask(question);
      case Fact.Absent<Volume> _ -> Step.decided(new DestroyVerdict.Spare());
      case Fact.Unknown<Volume>(String why) -> Step.decided(new DestroyVerdict.CannotTell(why));
      case Fact.Present<Volume>(Volume found) ->
          found.meta().uid().equals(judged.meta().uid())
                  && isOurs(found, names)
                  && isToBeDestroyed(found)
              ? ofVolume(found, seen, live)
              : Step.decided(new DestroyVerdict.Spare());
    };
  }

  private static Step<DestroyVerdict> ofVolume(Volume volume, SeenClaims seen, LiveFacts live) {
    ClaimRef ref = volume.claimRef();
    boolean hadNone = ref != null && seen.hadNone().test(ref.uid());
    return saysKept(volume) || isTaken(volume, hadNone, Optional.empty())
        ? Step.decided(new DestroyVerdict.Kept(volume))
        : OwnerDecider.decide(volume, live).map(owner -> ofOwner(volume, owner, seen, live));
  }

  private static DestroyVerdict ofOwner(
      Volume volume, OwnerVerdict owner, SeenClaims seen, LiveFacts live) {
    return switch (owner) {
      case OwnerVerdict.Freed _ ->
          new DestroyVerdict.Spare(); // D8, D9: a change requeues the volume
      // the watch has yet to show whether the claim ever had the volume
      case OwnerVerdict.Ownerless() when isGoing(volume, seen, live) ->
          new DestroyVerdict.NotYet("its claim was deleted a moment ago");
      case OwnerVerdict.Ownerless() -> new DestroyVerdict.Confirmed(volume); // D11, D13, D14
      case OwnerVerdict.Claimed(String why) -> new DestroyVerdict.NotYet(why); // D15
      case OwnerVerdict.Unknown(Question<?> _, String why) -> new DestroyVerdict.CannotTell(why);
    };
  }

  private static boolean isGoing(Volume volume, SeenClaims seen, LiveFacts live) {
    ClaimRef ref = volume.claimRef();
    return ref != null
        && live.of(Kind.CLAIM, ref.claim()) instanceof Fact.Absent<Claim>
        && !VolumeOrigin.isMadeFor(volume, ref.uid())
        && seen.isPresent(ref);
  }
}
