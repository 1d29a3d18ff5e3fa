package dev.mooring.provisioner.execute;

import dev.mooring.cluster.Document;
import dev.mooring.model.Claim;
import dev.mooring.model.StorageClass;
import dev.mooring.provisioner.decide.VolumeRules;
import dev.mooring.storage.VolumeService.Order;
import java.util.List;

/** What every made volume's object says, whatever storage made it. */
final class VolumeDocuments {
  private VolumeDocuments() {}

  /** Adds it to what the storage said. */
  static void complete(Order order, Document object) {
    Claim claim = order.claim();
    StorageClass storageClass = order.storageClass();
    object
        .set(order.volumeName(), "metadata", "name")
        .set(List.of(VolumeRules.FINALIZER), "metadata", "finalizers")
        .set(storageClass.provisioner(), "metadata", "annotations", VolumeRules.PROVISIONED_BY)
        .set("v1", "spec", "claimRef", "apiVersion")
        .set("PersistentVolumeClaim", "spec", "claimRef", "kind")
        .set(claim.key().namespace(), "spec", "claimRef", "namespace")
        .set(claim.key().name(), "spec", "claimRef", "name")
        .set(claim.meta().uid().toString(), "spec", "claimRef", "uid")
        .set(Long.toString(claim.meta().resourceVersion()), "spec", "claimRef", "resourceVersion")
        .set(storageClass.meta().name(), "spec", "storageClassName")
        .set(storageClass.reclaimPolicy().toString(), "spec", "persistentVolumeReclaimPolicy");
    if (!storageClass.mountOptions().isEmpty()) {
      object.set(storageClass.mountOptions(), "spec", "mountOptions");
    }
    object.set(claim.accessModes().written(), "spec", "accessModes");
    object.set(claim.volumeMode().toString(), "spec", "volumeMode");
  }
}
