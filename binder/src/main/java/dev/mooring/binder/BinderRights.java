package dev.mooring.binder;

import static dev.mooring.cluster.RbacRule.Verb.CREATE;
import static dev.mooring.cluster.RbacRule.Verb.DELETE;
import static dev.mooring.cluster.RbacRule.Verb.GET;
import static dev.mooring.cluster.RbacRule.Verb.LIST;
import static dev.mooring.cluster.RbacRule.Verb.PATCH;

import dev.mooring.binder.BinderConfig.RecycleConfig;
import dev.mooring.binder.decide.ClaimDecider;
import dev.mooring.cluster.RbacRules;
import dev.mooring.model.Kind;
import java.util.List;
import java.util.TreeSet;

public final class BinderRights {
  private BinderRights() {}

  public static RbacRules of(BinderConfig config) {
    RecycleConfig recycle = config.recycle();
    RbacRules rights =
        RbacRules.forPurpose("binding claims to volumes")
            .mayCache(Kind.POD)
            .mayCache(Kind.NODE)
            .mayRead(ClaimDecider.ASKED_KINDS)
            .may(Kind.VOLUME, PATCH)
            .mayStatus(Kind.VOLUME, PATCH)
            .may(Kind.CLAIM, GET, PATCH)
            .mayStatus(Kind.CLAIM, PATCH)
            .andForPurpose("provisioning volumes of in-tree classes")
            .may(Kind.VOLUME, CREATE)
            .may(Kind.NODE, GET)
            .andForPurpose("reclaiming volumes")
            .may(Kind.VOLUME, DELETE)
            .may(Kind.POD, GET, LIST);
    for (String namespace :
        new TreeSet<>(List.of(recycle.hostPath().namespace(), recycle.nfs().namespace()))) {
      rights =
          rights
              .andForPurpose("recycling volumes")
              .inNamespace(namespace)
              .may(Kind.POD, CREATE, DELETE)
              .mayListEvents();
    }
    return (config.writesWaitingConditions()
            ? rights
                .andForPurpose("writing the condition Waiting of claims")
                .mayStatus(Kind.CLAIM, PATCH)
            : rights)
        .mayEmitEvents();
  }
}
