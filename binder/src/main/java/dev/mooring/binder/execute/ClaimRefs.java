package dev.mooring.binder.execute;

import dev.mooring.cluster.Document;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;

/** How a volume names the claim that it belongs to. */
final class ClaimRefs {
  private ClaimRefs() {}

  /** Sets the volume's {@code claimRef}; the same document. */
  static Document pointAt(Claim claim, Document volume) {
    return volume
        .set(Kind.CLAIM.kind(), "spec", "claimRef", "kind")
        .set(Kind.CLAIM.apiVersion(), "spec", "claimRef", "apiVersion")
        .set(claim.key().namespace(), "spec", "claimRef", "namespace")
        .set(claim.key().name(), "spec", "claimRef", "name")
        .set(claim.meta().uid().toString(), "spec", "claimRef", "uid")
        .set(Long.toString(claim.meta().resourceVersion()), "spec", "claimRef", "resourceVersion");
  }
}
