package dev.mooring.csi;

import static dev.mooring.cluster.RbacRule.Verb.CREATE;
import static dev.mooring.cluster.RbacRule.Verb.DELETE;
import static dev.mooring.cluster.RbacRule.Verb.GET;
import static dev.mooring.cluster.RbacRule.Verb.LIST;
import static dev.mooring.cluster.RbacRule.Verb.PATCH;

import dev.mooring.cluster.RbacRule.Target;
import dev.mooring.cluster.RbacRules;
import dev.mooring.model.Kind;
import dev.mooring.model.ReferenceGrant;

/** RBAC rights of a CSI driver's controllers, without those of the provisioner. */
public final class CsiRights {
  private CsiRights() {}

  public static RbacRules of(CsiConfig config) {
    RbacRules rights =
        RbacRules.to("attaching volumes of CSI drivers")
            .mayCache(Kind.POD)
            .mayCache(Kind.NODE)
            .mayCache(Kind.CSI_NODE)
            .mayCache(Kind.ATTACHMENT)
            .may(
                Kind.ATTACHMENT,
                GET,
                PATCH) // the attachment of an inline volume contains the whole volume
            .mayStatus(Kind.ATTACHMENT, PATCH)
            .may(Kind.VOLUME, GET, PATCH)
            .andTo("growing and changing volumes of CSI drivers")
            .may(Kind.CLAIM, GET, PATCH)
            .mayStatus(Kind.CLAIM, PATCH)
            .may(Kind.ATTRIBUTES_CLASS, GET, LIST)
            .andTo("calls to CSI drivers whose classes name Secrets")
            .in(Target.WHERE_CLASSES_SAY)
            .may(Kind.SECRET, GET)
            .andTo("filling volumes from snapshots")
            .may(Kind.SNAPSHOT, GET, LIST, PATCH)
            .may(Kind.SNAPSHOT_CONTENT, GET);
    if (config.sources().acrossNamespaces()) {
      rights = rights.andTo("filling volumes from other namespaces").mayCache(ReferenceGrant.KIND);
    }
    return rights
        .with(config.snapshots().map(CsiRights::ofSnapshots).orElse(RbacRules.NONE))
        .with(config.capacity().map(CsiRights::ofCapacity).orElse(RbacRules.NONE))
        .mayTell();
  }

  private static RbacRules ofSnapshots(CsiConfig.Snapshots snapshots) {
    RbacRules rights =
        RbacRules.to("creating snapshots with CSI drivers")
            .mayCache(Kind.SNAPSHOT)
            .mayCache(Kind.SNAPSHOT_CLASS)
            .mayCache(Kind.SNAPSHOT_CONTENT)
            .may(Kind.SNAPSHOT_CONTENT, PATCH)
            .mayStatus(Kind.SNAPSHOT_CONTENT, PATCH);
    return snapshots.groups().isEmpty()
        ? rights
        : rights
            .andTo("creating group snapshots with CSI drivers")
            .mayCache(Kind.GROUP_SNAPSHOT_CLASS)
            .mayCache(Kind.GROUP_SNAPSHOT_CONTENT)
            .may(Kind.GROUP_SNAPSHOT, GET)
            .may(Kind.GROUP_SNAPSHOT_CONTENT, GET, PATCH)
            .mayStatus(Kind.GROUP_SNAPSHOT_CONTENT, PATCH);
  }

  private static RbacRules ofCapacity(CsiConfig.Capacity capacity) {
    RbacRules rights =
        RbacRules.to("publishing the capacity of CSI drivers")
            .in(capacity.namespace())
            .may(Kind.STORAGE_CAPACITY, LIST, CREATE, PATCH, DELETE);
    int level = capacity.owner().level();
    if (level >= 0) {
      rights = rights.may(Kind.STORAGE_CAPACITY, GET).may(Kind.POD, GET);
    }
    if (level >= 2) {
      rights = rights.may(new Target("apps", "replicasets", capacity.namespace(), ""), GET);
    }
    return rights;
  }
}
