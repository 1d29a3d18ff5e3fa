package dev.mooring.manager.uninstall;

import dev.mooring.cluster.Right;
import dev.mooring.cluster.Right.Verb;
import dev.mooring.cluster.Rights;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;

/**
 * Where Mooring has left something.
 *
 * @param lease the Lease of its election
 * @param recyclerNamespaces where its recycler pods live
 * @param podsNamespace where its plugins have run pods, "" for nowhere
 * @param givenBack names of provisioners whose volumes go to one that knows no finalizers
 * @param forget whether what hinders nobody goes, too
 */
public record UninstallConfig(
    ObjectKey lease,
    SortedSet<String> recyclerNamespaces,
    String podsNamespace,
    Set<String> givenBack,
    boolean forget) {

  /** What has to be allowed at the API server to take it off again. */
  public List<Right> rights() {
    Rights all =
        Rights.to("finding what Mooring wrote")
            .may(Kind.CLAIM, Verb.LIST)
            .may(Kind.VOLUME, Verb.LIST)
            .andTo("taking off what Mooring wrote")
            .may(Kind.CLAIM, Verb.GET, Verb.PATCH)
            .mayStatus(Kind.CLAIM, Verb.PATCH)
            .may(Kind.VOLUME, Verb.GET, Verb.PATCH);
    for (String namespace : recyclerNamespaces) {
      all =
          all.andTo("ending recycler pods")
              .in(namespace)
              .may(Kind.POD, Verb.LIST, Verb.GET, Verb.DELETE);
    }
    if (!podsNamespace.isEmpty()) {
      all =
          all.andTo("ending pods of plugins")
              .in(podsNamespace)
              .may(Kind.POD, Verb.LIST, Verb.GET, Verb.DELETE);
    }
    return all.andTo("finding out whether a leader is alive")
        .in(lease.namespace())
        .mayNamed(Kind.LEASE, lease.name(), Verb.GET, Verb.DELETE)
        .list();
  }
}
