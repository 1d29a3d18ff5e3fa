package dev.mooring.provisioner;

import dev.mooring.model.Claim;
import dev.mooring.model.Volume;
import dev.mooring.provisioner.decide.ClaimRules;
import dev.mooring.provisioner.decide.VolumeRules;
import java.util.Set;

/** What claims and volumes say of their provisioning, for those who look at them from outside. */
public final class ProvisionMarks {
  /** On a volume: it may not go before what it stands for is destroyed. */
  public static final String FINALIZER = VolumeRules.FINALIZER;

  /** On a volume: who made it. */
  public static final String PROVISIONED_BY = VolumeRules.PROVISIONED_BY;

  /** On a volume: the uid of a deleted claim with which what it stands for does not go. */
  public static final String TAKEN_BY = VolumeRules.TAKEN_BY;

  private ProvisionMarks() {}

  /** Whether the claim says that a volume may be being made for it by that provisioner. */
  public static boolean isBeingMade(Claim claim, String provisioner) {
    return ClaimRules.isBeingMade(claim) && ClaimRules.names(claim, Set.of(provisioner));
  }

  /** Whether the volume says that it is not to be destroyed with the claim that has it. */
  public static boolean saysTaken(Volume volume) {
    return VolumeRules.saysTaken(volume);
  }
}
