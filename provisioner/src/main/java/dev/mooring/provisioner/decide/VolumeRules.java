package dev.mooring.provisioner.decide;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Whose volume it is, and what is to be done about it (spec/provisioner-lib.md 5). */
public final class VolumeRules {
  /** On a volume: it may not go before what it stands for is destroyed. */
  public static final String FINALIZER = "external-provisioner.volume.kubernetes.io/finalizer";

  /** On a volume: who made it. */
  public static final String PROVISIONED_BY = "pv.kubernetes.io/provisioned-by";

  private static final String MIGRATED_TO = "pv.kubernetes.io/migrated-to";

  private VolumeRules() {}

  /** Whether the volume belongs to one of these provisioners. */
  public static boolean isOurs(Volume volume, Set<String> names) {
    if (names.contains(volume.meta().annotation(MIGRATED_TO))) {
      return true;
    }
    return volume.meta().has(PROVISIONED_BY)
        ? names.contains(volume.meta().annotation(PROVISIONED_BY))
        : volume.source().type().equals("csi")
            && names.contains(volume.source().attribute("driver"));
  }

  /**
   * The finalizers that the volume should have instead of those it has; empty if they are right.
   */
  public static Optional<List<String>> finalizers(Volume volume) {
    boolean present = volume.finalizers().contains(FINALIZER);
    boolean destroyed = volume.reclaimPolicy() == ReclaimPolicy.DELETE;
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
   * Whether what the volume stands for may be destroyed. What cannot be found out is not yet.
   *
   * @param judged the volume as it was when that was to be done
   * @param names the provisioner names that are ours
   */
  public static DestroyVerdict mayBeDestroyed(Volume judged, Set<String> names, LiveFacts live) {
    Question.One<Volume> question = new Question.One<>(Kind.VOLUME, judged.key());
    return switch (live.of(question)) {
      case Fact.NotAsked<Volume> _ -> new DestroyVerdict.Ask(List.of(question));
      case Fact.Absent<Volume> _ -> new DestroyVerdict.Spare();
      case Fact.Unknown<Volume>(String why) -> new DestroyVerdict.NotYet(why);
      case Fact.Present<Volume>(Volume found) ->
          found.meta().uid().equals(judged.meta().uid())
                  && isOurs(found, names)
                  && isToBeDestroyed(found)
              ? ofClaim(found, live)
              : new DestroyVerdict.Spare();
    };
  }

  private static DestroyVerdict ofClaim(Volume volume, LiveFacts live) {
    ClaimRef ref = volume.claimRef();
    if (ref == null) {
      return new DestroyVerdict.Confirmed(volume);
    }
    Question.One<Claim> question = new Question.One<>(Kind.CLAIM, ref.claim());
    return switch (live.of(question)) {
      case Fact.NotAsked<Claim> _ -> new DestroyVerdict.Ask(List.of(question));
      case Fact.Absent<Claim> _ -> new DestroyVerdict.Confirmed(volume);
      case Fact.Unknown<Claim>(String why) -> new DestroyVerdict.NotYet(why);
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
