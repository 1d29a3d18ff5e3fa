package dev.mooring.csi.decide;

import dev.mooring.model.ReferenceGrant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Decides whether a claim may be filled from an object of another namespace. */
public final class ReferenceGrantRules {
  private static final String CLAIM = "PersistentVolumeClaim";

  private ReferenceGrantRules() {}

  public static boolean isNeeded(DataSource source, String claimNamespace) {
    return !source.key(claimNamespace).namespace().equals(claimNamespace);
  }

  /**
   * Reports whether a grant lets claims of the namespace name the source. A grant applies to its
   * own namespace; a grant that is being deleted allows nothing.
   *
   * @param grants grants as read live from the API server
   */
  public static boolean isAllowed(
      DataSource source, String claimNamespace, List<ReferenceGrant> grants) {
    String namespace = source.key(claimNamespace).namespace();
    return grants.stream()
        .filter(grant -> grant.meta().key().namespace().equals(namespace))
        .filter(grant -> !grant.meta().isBeingDeleted())
        .anyMatch(grant ->
            grant.from().stream().anyMatch(from -> isFrom(from, claimNamespace))
                && grant.to().stream().anyMatch(to -> isTo(to, source)));
  }

  public static Set<String> findAllowedNamespaces(CloneSource source, List<ReferenceGrant> grants) {
    Set<String> namespaces = new LinkedHashSet<>();
    for (ReferenceGrant grant : grants) {
      boolean isApplicable =
          grant.meta().key().namespace().equals(source.key().namespace())
              && !grant.meta().isBeingDeleted()
              && grant.to().stream().anyMatch(to -> isTo(to, DataSource.of(source)));
      if (isApplicable) {
        grant.from().stream()
            .filter(from -> isFrom(from, from.namespace()))
            .forEach(from -> namespaces.add(from.namespace()));
      }
    }
    return namespaces;
  }

  private static boolean isFrom(ReferenceGrant.From from, String claimNamespace) {
    return from.group().isEmpty()
        && from.kind().equals(CLAIM)
        && from.namespace().equals(claimNamespace);
  }

  private static boolean isTo(ReferenceGrant.To to, DataSource source) {
    return to.group().equals(source.group())
        && to.kind().equals(source.kind())
        && (to.name().isEmpty() || to.name().equals(source.name()));
  }
}
