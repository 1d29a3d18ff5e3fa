package dev.mooring.storage.decide;

import dev.mooring.model.DataSourceRef;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReferenceGrant;
import java.util.List;

/** Decides whether ReferenceGrants let a claim name a data source in another namespace. */
public final class GrantRules {
  private static final String CLAIM = "PersistentVolumeClaim";

  private GrantRules() {}

  /**
   * Returns whether a grant lets claims of the namespace name the source. A grant applies to its
   * own namespace; a grant that is being deleted allows nothing.
   *
   * @param grants grants as read live from the API server
   */
  public static boolean isAllowed(
      DataSourceRef source, String claimNamespace, List<ReferenceGrant> grants) {
    ObjectKey key = source.key(claimNamespace);
    return grants.stream()
        .filter(grant -> isInForce(grant, key))
        .anyMatch(grant ->
            grant.from().stream().anyMatch(from -> isFrom(from, claimNamespace))
                && grant.to().stream().anyMatch(to -> isTo(to, source)));
  }

  public static boolean isInForce(ReferenceGrant grant, ObjectKey source) {
    return grant.meta().key().namespace().equals(source.namespace())
        && !grant.meta().isBeingDeleted();
  }

  public static boolean isFrom(ReferenceGrant.From from, String claimNamespace) {
    return from.group().isEmpty()
        && from.kind().equals(CLAIM)
        && from.namespace().equals(claimNamespace);
  }

  public static boolean isTo(ReferenceGrant.To to, DataSourceRef source) {
    return to.group().equals(source.group())
        && to.kind().equals(source.kind())
        && (to.name().isEmpty() || to.name().equals(source.name()));
  }
}
