package dev.mooring.manager.uninstall;

import dev.mooring.cluster.RbacRule;
import dev.mooring.cluster.RbacRule.Verb;
import dev.mooring.cluster.RbacRules;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;

/**
 * Places where Mooring left marks and objects.
 *
 * @param lease Lease of the election
 * @param recyclerNamespaces namespaces of recycler pods
 * @param podsNamespace namespace of plugins' pods; "" for none
 * @param nodes whether nodes may have marks
 * @param snapshots whether snapshot contents may have marks
 * @param handedOverProvisioners provisioners whose volumes move to a provisioner without finalizers
 * @param forget whether to remove harmless marks too
 */
public record UninstallConfig(
    ObjectKey lease,
    SortedSet<String> recyclerNamespaces,
    String podsNamespace,
    boolean nodes,
    boolean snapshots,
    Set<String> handedOverProvisioners,
    boolean forget) {

  public UninstallConfig with(Set<String> otherGivenBack, boolean otherForget) {
    return new UninstallConfig(
        lease, recyclerNamespaces, podsNamespace, nodes, snapshots, otherGivenBack, otherForget);
  }

  public List<RbacRule> rights() {
    RbacRules rules =
        RbacRules.forPurpose("listing what Mooring wrote")
            .may(Kind.CLAIM, Verb.LIST)
            .may(Kind.VOLUME, Verb.LIST)
            .andForPurpose("removing what Mooring wrote")
            .may(Kind.CLAIM, Verb.GET, Verb.PATCH)
            .mayStatus(Kind.CLAIM, Verb.PATCH)
            .may(Kind.VOLUME, Verb.GET, Verb.PATCH);
    for (String namespace : recyclerNamespaces) {
      rules =
          rules
              .andForPurpose("deleting recycler pods")
              .inNamespace(namespace)
              .may(Kind.POD, Verb.LIST, Verb.GET, Verb.DELETE);
    }
    if (!podsNamespace.isEmpty()) {
      rules =
          rules
              .andForPurpose("deleting pods of plugins")
              .inNamespace(podsNamespace)
              .may(Kind.POD, Verb.LIST, Verb.GET, Verb.DELETE);
    }
    if (nodes) {
      rules =
          rules
              .andForPurpose("removing marks of nodes that were off")
              .may(Kind.NODE, Verb.LIST, Verb.GET, Verb.PATCH);
    }
    if (snapshots) {
      rules =
          rules
              .andForPurpose("removing marks of snapshot contents")
              .may(Kind.SNAPSHOT_CONTENT, Verb.LIST, Verb.GET, Verb.PATCH);
    }
    return rightsToLease(rules).list();
  }

  private RbacRules rightsToLease(RbacRules rules) {
    return rules
        .andForPurpose("checking whether a leader is active")
        .inNamespace(lease.namespace())
        .mayNamed(Kind.LEASE, lease.name(), Verb.GET, Verb.DELETE);
  }
}
