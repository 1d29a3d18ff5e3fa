package dev.mooring.provisioner;

import static dev.mooring.cluster.RbacRule.Verb.CREATE;
import static dev.mooring.cluster.RbacRule.Verb.DELETE;
import static dev.mooring.cluster.RbacRule.Verb.GET;
import static dev.mooring.cluster.RbacRule.Verb.LIST;
import static dev.mooring.cluster.RbacRule.Verb.PATCH;

import dev.mooring.cluster.RbacRules;
import dev.mooring.model.Kind;

/** Permissions of this module's controllers. */
public final class ProvisionRights {
  public static final RbacRules PROVISIONING =
      RbacRules.forPurpose("provisioning volumes")
          .may(Kind.CLAIM, GET, PATCH)
          .may(Kind.VOLUME, GET, CREATE)
          .andForPurpose("deleting provisioned volumes")
          .may(Kind.VOLUME, PATCH, DELETE)
          .mayEmitEvents();

  public static final RbacRules USAGE = RbacRules.NONE.mayEmitEvents();

  private ProvisionRights() {}

  /**
   * Permissions for plugins that provision.
   *
   * @param podsNamespace namespace for helper pods; "" if plugins may neither run pods nor read
   *     nodes
   */
  public static RbacRules ofPlugins(String podsNamespace) {
    return podsNamespace.isEmpty()
        ? PROVISIONING
        : PROVISIONING
            .andForPurpose("work of plugins on nodes")
            .may(Kind.NODE, GET, LIST)
            .inNamespace(podsNamespace)
            .may(Kind.POD, GET, CREATE, DELETE);
  }
}
