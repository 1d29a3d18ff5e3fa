package dev.mooring.storage;

import dev.mooring.cluster.Document;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.StorageClass;
import dev.mooring.storage.VolumeService.Order;

/** What the objects of made volumes say, whoever makes them. */
public final class VolumeDocuments {
  private VolumeDocuments() {}

  /** Adds to what the storage said for whom the volume was made, and how; the same document. */
  public static Document complete(Order order, Document object) {
    StorageClass storageClass = order.storageClass();
    return pointAt(order.claim(), object)
        .set(storageClass.meta().name(), "spec", "storageClassName")
        .set(storageClass.reclaimPolicy().toString(), "spec", "persistentVolumeReclaimPolicy")
        .set(order.claim().volumeMode().toString(), "spec", "volumeMode");
  }

  /** Sets the volume's {@code claimRef}; the same document. */
  public static Document pointAt(Claim claim, Document volume) {
    return volume
        .set(Kind.CLAIM.kind(), "spec", "claimRef", "kind")
        .set(Kind.CLAIM.apiVersion(), "spec", "claimRef", "apiVersion")
        .set(claim.key().namespace(), "spec", "claimRef", "namespace")
        .set(claim.key().name(), "spec", "claimRef", "name")
        .set(claim.meta().uid().toString(), "spec", "claimRef", "uid")
        .set(Long.toString(claim.meta().resourceVersion()), "spec", "claimRef", "resourceVersion");
  }
}
