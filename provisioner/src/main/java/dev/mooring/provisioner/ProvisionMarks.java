package dev.mooring.provisioner;

import dev.mooring.cluster.OwnMark;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Volume;
import dev.mooring.provisioner.decide.ClaimRules;
import dev.mooring.provisioner.decide.VolumeRules;
import dev.mooring.storage.VolumeService;
import dev.mooring.storage.decide.VolumeOrigin;
import java.util.List;
import java.util.Set;

/** What claims and volumes say of their provisioning, for those who look at them from outside. */
public final class ProvisionMarks {
  /** On a volume: it may not go before what it stands for is destroyed. */
  public static final String FINALIZER = VolumeRules.FINALIZER;

  /** On a volume: who made it. */
  public static final String PROVISIONED_BY = VolumeRules.PROVISIONED_BY;

  /** On a claim: a volume may be being made for it. */
  public static final OwnMark BEING_MADE =
      OwnMark.finalizer(
          Kind.CLAIM,
          VolumeService.BEING_MADE,
          "nobody else takes it off, and as long as it is there the claim cannot go");

  /** On a volume: the uid of a deleted claim with which what it stands for does not go. */
  public static final OwnMark TAKEN_BY =
      OwnMark.annotation(
          Kind.VOLUME,
          VolumeRules.TAKEN_BY,
          "it says that what the volume stands for does not go with the claim that has it");

  /** On a volume: the uid of a claim to which it was never bound. */
  public static final OwnMark NEVER_BOUND =
      OwnMark.annotation(
          Kind.VOLUME,
          VolumeOrigin.NEVER_BOUND,
          "it says that what the volume stands for does not go with a claim that it was never bound to");

  /** On a volume: when the object was created. */
  public static final OwnMark MADE_AT =
      OwnMark.annotation(
          Kind.VOLUME,
          VolumeOrigin.MADE_AT,
          "it tells the object from a restored copy, and does no harm");

  /** What whoever provisions leaves under names of ours. */
  public static final List<OwnMark> OWN = List.of(BEING_MADE, TAKEN_BY, NEVER_BOUND, MADE_AT);

  private ProvisionMarks() {}

  /** Whether the claim says that a volume may be being made for it by that provisioner. */
  public static boolean isBeingMade(Claim claim, String provisioner) {
    return ClaimRules.isBeingMade(claim) && ClaimRules.names(claim, Set.of(provisioner));
  }

  /** Whether the volume says that it is not to be destroyed with the claim that it names. */
  public static boolean saysKept(Volume volume) {
    return VolumeRules.saysKept(volume);
  }
}
