package dev.mooring.provisioner.execute;

import dev.mooring.cluster.Document;
import dev.mooring.model.StorageClass;
import dev.mooring.provisioner.decide.VolumeRules;
import dev.mooring.storage.VolumeDocuments;
import dev.mooring.storage.VolumeService.Order;
import java.util.List;

final class ProvisionDocuments {
  private ProvisionDocuments() {}

  static void complete(Order order, Document object) {
    StorageClass storageClass = order.storageClass();
    VolumeDocuments.addClaimAndClass(order, object)
        .set(order.volumeName(), "metadata", "name")
        .set(List.of(VolumeRules.FINALIZER), "metadata", "finalizers")
        .set(storageClass.provisioner(), "metadata", "annotations", VolumeRules.PROVISIONED_BY)
        .set(order.claim().accessModes().written(), "spec", "accessModes");
    if (!storageClass.mountOptions().isEmpty()) {
      object.set(storageClass.mountOptions(), "spec", "mountOptions");
    }
  }
}
