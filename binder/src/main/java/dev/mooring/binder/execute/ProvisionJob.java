package dev.mooring.binder.execute;

import dev.mooring.binder.decide.BinderMarks;
import dev.mooring.binder.decide.ProvisionDecider;
import dev.mooring.model.AccessModes;
import dev.mooring.model.Claim;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.StorageClass;
import dev.mooring.storage.PluginStorage;
import dev.mooring.storage.VolumeDocuments;
import dev.mooring.storage.VolumeService.Order;
import dev.mooring.storage.VolumeService.ProvisionResult;
import java.util.List;

record ProvisionJob(Order order, String plugin) {
  ProvisionJob(Claim claim, StorageClass storageClass, String plugin) {
    this(order(claim, storageClass), plugin);
  }

  private static Order order(Claim claim, StorageClass storageClass) {
    String node = claim.meta().annotation(BinderMarks.SELECTED_NODE);
    return new Order(
        ProvisionDecider.volumeOf(claim).name(), claim, storageClass, node.isEmpty() ? null : node);
  }

  Claim claim() {
    return order.claim();
  }

  ObjectKey key() {
    return claim().key();
  }

  ProvisionJob with(Claim more) {
    return new ProvisionJob(more, order.storageClass(), plugin);
  }

  ProvisionResult.Made complete(PluginStorage.Made made) {
    StorageClass storageClass = order.storageClass();
    AccessModes modes = made.said().accessModes();
    VolumeDocuments.complete(order, made.result().object())
        .set("yes", "metadata", "annotations", BinderMarks.BOUND_BY_CONTROLLER)
        .set(plugin, "metadata", "annotations", BinderMarks.PROVISIONED_BY)
        .set(
            (modes.written().isEmpty() ? AccessModes.of("ReadWriteOnce") : modes).written(),
            "spec",
            "accessModes");
    if (storageClass.reclaimPolicy() == ReclaimPolicy.DELETE) {
      made.result().object().set(List.of(BinderMarks.IN_TREE_FINALIZER), "metadata", "finalizers");
    }
    return made.result();
  }
}
