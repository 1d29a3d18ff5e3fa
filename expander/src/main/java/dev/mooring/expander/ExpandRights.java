package dev.mooring.expander;

import static dev.mooring.cluster.RbacRule.Verb.GET;
import static dev.mooring.cluster.RbacRule.Verb.PATCH;

import dev.mooring.cluster.RbacRules;
import dev.mooring.model.Kind;

/** RBAC rights of the expand controller. */
public final class ExpandRights {
  public static final RbacRules ALL =
      RbacRules.forPurpose("growing volumes")
          .may(Kind.VOLUME, GET, PATCH)
          .mayStatus(Kind.CLAIM, PATCH)
          .mayEmitEvents();

  private ExpandRights() {}
}
