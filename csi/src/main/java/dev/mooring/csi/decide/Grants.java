package dev.mooring.csi.decide;

import dev.mooring.model.ReferenceGrant;
import java.util.List;

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
