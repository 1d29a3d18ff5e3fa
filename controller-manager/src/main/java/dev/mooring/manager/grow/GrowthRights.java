package dev.mooring.manager.grow;

import dev.mooring.cluster.RbacRule;
import dev.mooring.cluster.RbacRule.Verb;
import dev.mooring.cluster.RbacRules;
import dev.mooring.model.Kind;
import java.util.List;

public final class GrowthRights {
  private GrowthRights() {}

  public static List<RbacRule> of(GrowthRequest request) {
    String namespace = request.statefulSet().namespace();
    return RbacRules.forPurpose("growing claims")
        .inNamespace(namespace)
        .may(Kind.CLAIM, Verb.GET, Verb.LIST, Verb.PATCH)
        .andForPurpose("updating the claim template")
        .inNamespace(namespace)
        .mayNamed(
            GrowthRequest.STATEFUL_SET,
            request.statefulSet().name(),
            Verb.GET,
            Verb.PATCH,
            Verb.DELETE)
        .may(GrowthRequest.STATEFUL_SET, Verb.CREATE)
        .andForPurpose("saving the StatefulSet")
        .inNamespace(namespace)
        .mayNamed(
            GrowthRequest.CONFIG_MAP, request.configMap().name(), Verb.GET, Verb.PATCH, Verb.DELETE)
        .may(GrowthRequest.CONFIG_MAP, Verb.CREATE)
        .list();
  }
}
