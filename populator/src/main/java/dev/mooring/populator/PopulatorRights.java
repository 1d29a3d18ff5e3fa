package dev.mooring.populator;

import static dev.mooring.cluster.RbacRule.Verb.CREATE;
import static dev.mooring.cluster.RbacRule.Verb.DELETE;
import static dev.mooring.cluster.RbacRule.Verb.GET;
import static dev.mooring.cluster.RbacRule.Verb.LIST;
import static dev.mooring.cluster.RbacRule.Verb.PATCH;

import dev.mooring.cluster.RbacRules;
import dev.mooring.model.Kind;
import dev.mooring.model.ReferenceGrant;
import dev.mooring.model.VolumePopulator;

/** RBAC rights of this module's controllers. Rights to the populators' own kinds are not listed. */
public final class PopulatorRights {
  public static final RbacRules VALIDATION =
      RbacRules.forPurpose("reporting data sources of unknown kinds")
          .may(VolumePopulator.KIND, LIST)
          .mayEmitEvents();

  private static final RbacRules GRANTS =
      RbacRules.forPurpose("populating volumes").may(ReferenceGrant.KIND, LIST);

  private PopulatorRights() {}

  public static RbacRules ofPopulation(PopulatorConfig config) {
    if (config.namespace().isEmpty()) {
      return RbacRules.NONE;
    }
    RbacRules rules =
        RbacRules.forPurpose("populating volumes")
            .may(Kind.CLAIM, GET, PATCH)
            .may(Kind.VOLUME, GET, PATCH)
            .inNamespace(config.namespace())
            .may(Kind.CLAIM, CREATE, DELETE)
            .may(Kind.POD, GET, CREATE, DELETE)
            .mayEmitEvents();
    return config.acrossNamespaces() ? rules.with(GRANTS) : rules;
  }
}
