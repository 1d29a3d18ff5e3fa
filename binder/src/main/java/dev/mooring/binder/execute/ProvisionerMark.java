package dev.mooring.binder.execute;

import dev.mooring.binder.decide.BinderMarks;
import dev.mooring.binder.decide.ProvisionDecider;
import dev.mooring.cluster.Document;
import dev.mooring.model.Claim;
import dev.mooring.model.CsiMigration;
import dev.mooring.model.Meta;
import dev.mooring.model.Volume;
import dev.mooring.reconcile.Compat;

/**
 * Annotations that name a claim's provisioner, and the time at which a claim of an in-process
 * plugin gets them. Chosen when the binder is assembled.
 */
public enum ProvisionerMark {
  /** Kubernetes' order. Costs a request of its own. */
  BEFORE_CALL,
  /**
   * With the claim's volume, or after a failed attempt. An external provisioner of the same name
   * ignores the claim until then.
   */
  WITH_VOLUME;

  public static ProvisionerMark of(Compat compat) {
    return compat.isKubernetes() ? BEFORE_CALL : WITH_VOLUME;
  }

  /**
   * Returns whether the plugin may be called before the claim is annotated. An existing annotation
   * may name an external provisioner, which the new value must stop first.
   */
  boolean mayFollowCall(Claim claim) {
    return this == WITH_VOLUME && isMissing(claim);
  }

  static boolean isMissing(Claim claim) {
    Meta meta = claim.meta();
    return !meta.hasAnnotation(BinderMarks.STORAGE_PROVISIONER)
        && !meta.hasAnnotation(BinderMarks.BETA_STORAGE_PROVISIONER)
        && !meta.hasAnnotation(CsiMigration.MIGRATED_TO);
  }

  /** Returns whether the volume was provisioned for the claim, which does not name its plugin. */
  static boolean isMissing(Claim claim, Volume volume) {
    return isMissing(claim)
        && volume.meta().hasAnnotation(BinderMarks.PROVISIONED_BY)
        && volume.key().equals(ProvisionDecider.volumeKey(claim));
  }

  static Document set(String provisioner, Document patch) {
    return patch
        .set(provisioner, "metadata", "annotations", BinderMarks.STORAGE_PROVISIONER)
        .set(provisioner, "metadata", "annotations", BinderMarks.BETA_STORAGE_PROVISIONER);
  }

  /** Returns the claim as it was before it was annotated. */
  static Claim remove(Claim claim) {
    return claim.withMeta(
        claim
            .meta()
            .withoutAnnotation(BinderMarks.STORAGE_PROVISIONER)
            .withoutAnnotation(BinderMarks.BETA_STORAGE_PROVISIONER));
  }
}
