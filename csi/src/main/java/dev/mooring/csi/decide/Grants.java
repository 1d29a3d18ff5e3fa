package dev.mooring.csi.decide;

import dev.mooring.model.ReferenceGrant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Whether a claim may be filled from something of another namespace. */
public final class Grants {
  private static final String CLAIM = "PersistentVolumeClaim";

  private Grants() {}

  /** Whether the source is in another namespace than the claim. */
  public static boolean isNeeded(DataSource source, String claimNamespace) {
    return !source.key(claimNamespace).namespace().equals(claimNamespace);
  }

  /**
   * Whether one of the grants lets claims of that namespace name the source. A grant speaks for its
   * own namespace only; one that is being deleted speaks no longer.
   *
   * @param grants as the server has them now
   */
  public static boolean allow(
      DataSource source, String claimNamespace, List<ReferenceGrant> grants) {
    String namespace = source.key(claimNamespace).namespace();
    return grants.stream()
        .filter(grant -> grant.meta().key().namespace().equals(namespace))
        .filter(grant -> !grant.meta().isBeingDeleted())
        .anyMatch(grant ->
            grant.from().stream().anyMatch(from -> isFrom(from, claimNamespace))
                && grant.to().stream().anyMatch(to -> isTo(to, source)));
  }

  /**
   * The other namespaces whose claims may name the source. A grant being deleted allows nothing.
   */
  public static Set<String> namespaces(CloneSource source, List<ReferenceGrant> grants) {
    Set<String> all = new LinkedHashSet<>();
    for (ReferenceGrant grant : grants) {
      boolean allows =
          grant.meta().key().namespace().equals(source.key().namespace())
              && !grant.meta().isBeingDeleted()
              && grant.to().stream().anyMatch(to -> isTo(to, DataSource.of(source)));
      if (allows) {
        grant.from().stream()
            .filter(from -> isFrom(from, from.namespace()))
            .forEach(from -> all.add(from.namespace()));
      }
    }
    return all;
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
