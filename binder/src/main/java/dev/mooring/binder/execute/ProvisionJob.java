package dev.mooring.binder.execute;

import dev.mooring.binder.decide.Marks;
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

/**
 * A volume that is to be made.
 *
 * @param order what it is to be
 * @param plugin who makes it
 */
record ProvisionJob(Order order, String plugin) {
  /** For the claim, of that class. */
  ProvisionJob(Claim claim, StorageClass storageClass, String plugin) {
    this(order(claim, storageClass), plugin);
  }

  private static Order order(Claim claim, StorageClass storageClass) {
    String node = claim.meta().annotation(Marks.SELECTED_NODE);
    return new Order(
        ProvisionDecider.volumeOf(claim).name(), claim, storageClass, node.isEmpty() ? null : node);
  }

  Claim claim() {
    return order.claim();
  }

  ObjectKey key() {
    return claim().key();
  }

  /** The same with more of its claim. */
  ProvisionJob with(Claim more) {
    return new ProvisionJob(more, order.storageClass(), plugin);
  }

  /** What was made, with an object that says whose it is. */
  ProvisionResult.Made complete(PluginStorage.Made made) {
    StorageClass storageClass = order.storageClass();
    AccessModes modes = made.said().accessModes();
    VolumeDocuments.complete(order, made.result().object())
        .set("yes", "metadata", "annotations", Marks.BOUND_BY_CONTROLLER)
        .set(plugin, "metadata", "annotations", Marks.PROVISIONED_BY)
        .set(
            (modes.written().isEmpty() ? AccessModes.of("ReadWriteOnce") : modes).written(),
            "spec",
            "accessModes");
    if (storageClass.reclaimPolicy() == ReclaimPolicy.DELETE) {
      made.result().object().set(List.of(Marks.IN_TREE_FINALIZER), "metadata", "finalizers");
    }
    return made.result();
  }
}
