package dev.mooring.attachdetach;

import static dev.mooring.cluster.RbacRule.Verb.CREATE;
import static dev.mooring.cluster.RbacRule.Verb.DELETE;
import static dev.mooring.cluster.RbacRule.Verb.GET;
import static dev.mooring.cluster.RbacRule.Verb.PATCH;

import dev.mooring.cluster.RbacRules;
import dev.mooring.model.Kind;

/** RBAC rights of the attach/detach controller. */
public final class AttachDetachRights {
  private static final String NODE_LEASES = "kube-node-lease";

  private AttachDetachRights() {}

  public static RbacRules of(AttachDetachConfig config) {
    RbacRules rights =
        RbacRules.forPurpose("attaching and detaching volumes")
            .mayCache(Kind.POD)
            .mayCache(Kind.NODE)
            .mayCache(Kind.ATTACHMENT)
            .mayCache(Kind.CSI_DRIVER)
            .may(Kind.ATTACHMENT, GET, CREATE, DELETE)
            .may(Kind.POD, GET)
            .may(Kind.NODE, GET)
            .may(Kind.CSI_DRIVER, GET)
            .mayStatus(Kind.NODE, PATCH);
    if (!config.compat().isKubernetes()) {
      rights =
          rights
              .may(Kind.VOLUME, GET) // to confirm that an attachment is a leftover
              .may(Kind.ATTACHMENT, PATCH); // to invalidate earlier deletion requests
    }
    if (config.failoverByEvidence()) {
      rights =
          rights
              .andForPurpose("failover by evidence")
              .inNamespace(NODE_LEASES)
              .may(Kind.LEASE, GET);
    }
    return rights.mayEmitEvents();
  }
}
