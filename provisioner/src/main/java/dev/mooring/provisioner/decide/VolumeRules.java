package dev.mooring.provisioner.decide;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.Migration;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.storage.decide.DriverNames;
import java.util.List;
import java.util.Optional;

/** Whose volume it is, and what is to be done about it (spec/provisioner-lib.md 5). */
public final class VolumeRules {
  /** On a volume: it may not go before what it stands for is destroyed. */
  public static final String FINALIZER = "external-provisioner.volume.kubernetes.io/finalizer";

  /** On a volume: who made it. */
  public static final String PROVISIONED_BY = "pv.kubernetes.io/provisioned-by";

  /**
   * On a volume: the uid of a claim that was bound to it while it was being deleted, although the
   * volume was not made for it. What the volume stands for does not go with that claim.
   */
  public static final String TAKEN_BY = "mooring.dev/taken-by-deleted-claim";

  /** Its value once somebody has decided that the volume is to be destroyed all the same. */
  public static final String DESTROY = "destroy";

  private static final String BOUND_BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller";

  private VolumeRules() {}

  /** Whether the volume belongs to one of these provisioners. */
  public static boolean isOurs(Volume volume, ClaimRules.Names names) {
    if (names.own().contains(volume.meta().annotation(Migration.MIGRATED_TO))) {
      return true;
    }
    return volume.meta().has(PROVISIONED_BY)
        ? names.has(volume.meta().annotation(PROVISIONED_BY))
        : volume.source().type().equals("csi")
            && names.own().contains(volume.source().attribute("driver"));
  }

  /**
   * The finalizers that the volume should have instead of those it has; empty if they are right.
   */
  public static Optional<List<String>> finalizers(Volume volume) {
    boolean present = volume.finalizers().contains(FINALIZER);
    boolean destroyed = volume.reclaimPolicy() == ReclaimPolicy.DELETE && !saysTaken(volume);
    if (present && !destroyed) {
      return Optional.of(volume.meta().finalizersWithout(FINALIZER));
    }
    boolean missing = !present && destroyed && !volume.meta().isBeingDeleted();
    return missing && volume.phase() == VolumePhase.BOUND
        ? Optional.of(volume.meta().finalizersWith(FINALIZER))
        : Optional.empty();
  }

  /** Whether what the volume stands for is to be destroyed. */
  public static boolean isToBeDestroyed(Volume volume) {
    boolean done = volume.meta().isBeingDeleted() && !volume.finalizers().contains(FINALIZER);
    return !done
        && volume.phase() == VolumePhase.RELEASED
        && volume.reclaimPolicy() == ReclaimPolicy.DELETE;
  }

  /**
   * Whether the volume was made for the claim that has it: by a provisioner, which named it after
   * the claim and reserved it for the claim at once.
   */
  private static boolean isMadeFor(Volume volume, Uid claim) {
    return volume.meta().has(PROVISIONED_BY)
        && !volume.meta().has(BOUND_BY_CONTROLLER)
        && DriverNames.isOf(claim, volume.meta().name());
  }

  /** Whether the volume says that it is not to be destroyed with the claim that has it. */
  public static boolean saysTaken(Volume volume) {
    ClaimRef ref = volume.claimRef();
    return ref != null
        && !ref.uid().isNone()
        && volume.meta().annotation(TAKEN_BY).equals(ref.uid().toString());
  }

  /**
   * Whether the claim that has the volume was being deleted before it got it, so that nobody ever
   * used the volume through it.
   *
   * @param hadNone whether the claim was seen without a volume while it was being deleted
   * @param claim the claim, if it is still there
   */
  public static boolean isTaken(Volume volume, boolean hadNone, Optional<Claim> claim) {
    ClaimRef ref = volume.claimRef();
    if (ref == null
        || ref.uid().isNone()
        || isMadeFor(volume, ref.uid())
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
   * Whether what the volume stands for may be destroyed. What cannot be found out is not yet.
   *
   * @param judged the volume as it was when that was to be done
   * @param names the provisioner names that are ours
   * @param seen what was seen of claims
   */
  public static DestroyVerdict mayBeDestroyed(
      Volume judged, ClaimRules.Names names, SeenClaims seen, LiveFacts live) {
    Question.One<Volume> question = new Question.One<>(Kind.VOLUME, judged.key());
    return switch (live.of(question)) {
      case Fact.NotAsked<Volume> _ -> new DestroyVerdict.Ask(List.of(question));
      case Fact.Absent<Volume> _ -> new DestroyVerdict.Spare();
      case Fact.Unknown<Volume>(String why) -> new DestroyVerdict.CannotTell(why);
      case Fact.Present<Volume>(Volume found) ->
          found.meta().uid().equals(judged.meta().uid())
                  && isOurs(found, names)
                  && isToBeDestroyed(found)
              ? ofVolume(found, seen, live)
              : new DestroyVerdict.Spare();
    };
  }

  private static DestroyVerdict ofVolume(Volume volume, SeenClaims seen, LiveFacts live) {
    ClaimRef ref = volume.claimRef();
    boolean hadNone = ref != null && seen.hadNone().test(ref.uid());
    return saysTaken(volume) || isTaken(volume, hadNone, Optional.empty())
        ? new DestroyVerdict.Kept(volume)
        : ofClaim(volume, seen, live);
  }

  private static DestroyVerdict ofClaim(Volume volume, SeenClaims seen, LiveFacts live) {
    ClaimRef ref = volume.claimRef();
    if (ref == null) {
      return new DestroyVerdict.Confirmed(volume);
    }
    Question.One<Claim> question = new Question.One<>(Kind.CLAIM, ref.claim());
    return switch (live.of(question)) {
      case Fact.NotAsked<Claim> _ -> new DestroyVerdict.Ask(List.of(question));
      // how it went is still to be heard, and so whether it ever had the volume
      case Fact.Absent<Claim> _ when !isMadeFor(volume, ref.uid()) && seen.isPresent(ref) ->
          new DestroyVerdict.NotYet("claim " + ref.claim() + " has just gone");
      case Fact.Absent<Claim> _ -> new DestroyVerdict.Confirmed(volume);
      case Fact.Unknown<Claim>(String why) -> new DestroyVerdict.CannotTell(why);
      case Fact.Present<Claim>(Claim claim) -> {
        boolean elsewhere =
            !claim.volumeName().isEmpty() && !claim.volumeName().equals(volume.meta().name());
        yield claim.meta().uid().equals(ref.uid()) && !elsewhere
            ? new DestroyVerdict.NotYet("claim " + claim.key() + " is still there")
            : new DestroyVerdict.Confirmed(volume);
      }
    };
  }
}
