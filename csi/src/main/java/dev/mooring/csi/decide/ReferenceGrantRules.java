package dev.mooring.csi.decide;

import dev.mooring.model.DataSourceRef;
import dev.mooring.model.ReferenceGrant;
import dev.mooring.storage.decide.GrantRules;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Decides whether a claim may be filled from an object of another namespace. */
public final class ReferenceGrantRules {
  private ReferenceGrantRules() {}

  public static boolean isNeeded(DataSource source, String claimNamespace) {
    return !source.key(claimNamespace).namespace().equals(claimNamespace);
  }

  /**
   * Reports whether a grant lets claims of the namespace name the source.
   *
   * @param grants grants as read live from the API server
   */
  public static boolean isAllowed(
      DataSource source, String claimNamespace, List<ReferenceGrant> grants) {
    return GrantRules.isAllowed(toReference(source), claimNamespace, grants);
  }

  public static Set<String> findAllowedNamespaces(CloneSource source, List<ReferenceGrant> grants) {
    Set<String> namespaces = new LinkedHashSet<>();
    DataSourceRef reference = toReference(DataSource.of(source));
    for (ReferenceGrant grant : grants) {
      boolean isApplicable =
          GrantRules.isInForce(grant, source.key())
              && grant.to().stream().anyMatch(to -> GrantRules.isTo(to, reference));
      if (isApplicable) {
        grant.from().stream()
            .filter(from -> GrantRules.isFrom(from, from.namespace()))
            .forEach(from -> namespaces.add(from.namespace()));
      }
    }
    return namespaces;
  }

  private static DataSourceRef toReference(DataSource source) {
    return new DataSourceRef(source.group(), source.kind(), source.namespace(), source.name());
  }
}
