package dev.mooring.protection;

import static dev.mooring.cluster.Right.Verb.CREATE;
import static dev.mooring.cluster.Right.Verb.GET;
import static dev.mooring.cluster.Right.Verb.LIST;
import static dev.mooring.cluster.Right.Verb.PATCH;
import static dev.mooring.cluster.Right.Verb.UPDATE;

import dev.mooring.cluster.Right.Target;
import dev.mooring.cluster.Rights;
import dev.mooring.model.Kind;

/** What the protection controllers and that of ephemeral volumes read and write. */
public final class ProtectionRights {
  /** What {@link VolumeProtection} has to be allowed. */
  public static final Rights VOLUMES =
      Rights.to("letting go of volumes that are no longer bound").may(Kind.VOLUME, PATCH);

  /** What {@link AttributesClassProtection} has to be allowed. */
  public static final Rights ATTRIBUTES_CLASSES =
      Rights.to("keeping VolumeAttributesClasses that are in use")
          .mayCache(Kind.ATTRIBUTES_CLASS)
          .may(Kind.ATTRIBUTES_CLASS, PATCH);

  /**
   * What {@link EphemeralVolumes} has to be allowed. The finalizers of pods are never written: an
   * API server that enforces permissions on owner references asks for that before somebody makes
   * what blocks a pod's deletion.
   */
  public static final Rights EPHEMERAL_VOLUMES =
      Rights.to("making claims of generic ephemeral volumes")
          .mayCache(Kind.POD)
          .may(Kind.POD, GET)
          .may(Kind.CLAIM, CREATE)
          .may(new Target(Kind.POD.group(), "pods/finalizers", "", ""), UPDATE)
          .mayTell();

  private ProtectionRights() {}

  /** What {@link ClaimProtection} has to be allowed. */
  public static Rights ofClaims(boolean tellsUnused) {
    Rights rights =
        Rights.to("letting go of claims that no pod uses")
            .mayCache(Kind.POD)
            .may(Kind.POD, LIST)
            .may(Kind.CLAIM, PATCH);
    return tellsUnused
        ? rights.andTo("telling which claims are unused").mayStatus(Kind.CLAIM, PATCH)
        : rights;
  }
}
