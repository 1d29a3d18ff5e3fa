package dev.mooring.storage;

import dev.mooring.cluster.Document;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.StorageClass;
import dev.mooring.storage.VolumeService.Order;
import dev.mooring.storage.decide.Condemnation;

/** Fields of provisioned volumes' objects that do not depend on the storage. */
public final class VolumeDocuments {
  private VolumeDocuments() {}

  public static Document addClaimAndClass(Order order, Document object) {
    StorageClass storageClass = order.storageClass();
    String delay = Condemnation.delayOf(storageClass);
    if (!delay.isEmpty()) {
      object.set(delay, "metadata", "annotations", Condemnation.CLASS_DELAY);
    }
    return setClaimRef(order.claim(), object)
        .set(storageClass.meta().name(), "spec", "storageClassName")
        .set(storageClass.reclaimPolicy().toString(), "spec", "persistentVolumeReclaimPolicy")
        .set(order.claim().volumeMode().toString(), "spec", "volumeMode");
  }

  public static Document setClaimRef(Claim claim, Document volume) {
    return volume
        .set(Kind.CLAIM.kind(), "spec", "claimRef", "kind")
        .set(Kind.CLAIM.apiVersion(), "spec", "claimRef", "apiVersion")
        .set(claim.key().namespace(), "spec", "claimRef", "namespace")
        .set(claim.key().name(), "spec", "claimRef", "name")
        .set(claim.meta().uid().toString(), "spec", "claimRef", "uid")
        .set(Long.toString(claim.meta().resourceVersion()), "spec", "claimRef", "resourceVersion");
  }
}
