package dev.mooring.protection;

import static dev.mooring.cluster.RbacRule.Verb.CREATE;
import static dev.mooring.cluster.RbacRule.Verb.GET;
import static dev.mooring.cluster.RbacRule.Verb.LIST;
import static dev.mooring.cluster.RbacRule.Verb.PATCH;
import static dev.mooring.cluster.RbacRule.Verb.UPDATE;

import dev.mooring.cluster.RbacRule.Target;
import dev.mooring.cluster.RbacRules;
import dev.mooring.model.Kind;

/** RBAC rights of the protection controllers and the controller of ephemeral volumes. */
public final class ProtectionRights {
  public static final RbacRules VOLUMES =
      RbacRules.forPurpose("removing the finalizer of volumes that are not bound")
          .may(Kind.VOLUME, PATCH);

  public static final RbacRules ATTRIBUTES_CLASSES =
      RbacRules.forPurpose("protecting VolumeAttributesClasses that are in use")
          .mayCache(Kind.ATTRIBUTES_CLASS)
          .may(Kind.ATTRIBUTES_CLASS, PATCH);

  /**
   * Rights of {@link EphemeralVolumes}. It never writes finalizers of pods. But an API server that
   * enforces permissions on owner references requires this right for an owner reference that blocks
   * the pod's deletion.
   */
  public static final RbacRules EPHEMERAL_VOLUMES =
      RbacRules.forPurpose("creating claims of generic ephemeral volumes")
          .mayCache(Kind.POD)
          .may(Kind.POD, GET)
          .may(Kind.CLAIM, CREATE)
          .may(new Target(Kind.POD.group(), "pods/finalizers", "", ""), UPDATE)
          .mayEmitEvents();

  /** Rights of {@link ClaimProtection} that a delay of deletions needs. */
  public static final RbacRules MANIFESTS =
      RbacRules.forPurpose("saving the manifests of deleted claims for 'mooring undo'")
          .may(Kind.CLAIM, GET)
          .may(Kind.VOLUME, PATCH);

  private ProtectionRights() {}

  public static RbacRules ofClaims(UnusedCondition unusedCondition) {
    RbacRules rights =
        RbacRules.forPurpose("removing the finalizer of claims that no pod uses")
            .mayCache(Kind.POD)
            .may(Kind.POD, LIST)
            .may(Kind.CLAIM, PATCH);
    return unusedCondition != UnusedCondition.OFF
        ? rights
            .andForPurpose("writing the condition Unused of claims")
            .mayStatus(Kind.CLAIM, PATCH)
        : rights;
  }
}
