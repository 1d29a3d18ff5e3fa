package dev.mooring.binder.execute;

import dev.mooring.binder.decide.Marks;
import dev.mooring.binder.decide.ProvisionDecider;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.NodeTerms;
import dev.mooring.model.AccessModes;
import dev.mooring.model.Claim;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.StorageClass;
import dev.mooring.spi.Provisioner;
import dev.mooring.storage.VolumeService.Order;
import java.util.HashMap;
import java.util.List;

/**
 * A volume that is to be made.
 *
 * @param claim whose it is to be
 * @param storageClass how it is to be
 * @param plugin who makes it
 */
record ProvisionJob(Claim claim, StorageClass storageClass, String plugin) {
  ObjectKey key() {
    return claim.key();
  }

  /** The same with more of its claim. */
  ProvisionJob with(Claim more) {
    return new ProvisionJob(more, storageClass, plugin);
  }

  /** What the volume is to be called. */
  String volume() {
    return ProvisionDecider.volumeOf(claim).name();
  }

  /** What is to be made. */
  Order order() {
    String node = claim.meta().annotation(Marks.SELECTED_NODE);
    return new Order(volume(), claim, storageClass, node.isEmpty() ? null : node);
  }

  /** What the plugin is asked for. */
  Provisioner.Request request() {
    String node = claim.meta().annotation(Marks.SELECTED_NODE);
    return new Provisioner.Request(
        volume(),
        new Provisioner.ClaimInfo(
            claim.key(), claim.meta().uid(), claim.meta().labels(), claim.meta().annotations()),
        claim.request(),
        claim.accessModes(),
        claim.volumeMode(),
        storageClass.meta().name(),
        storageClass.parameters(),
        storageClass.mountOptions(),
        node.isEmpty() ? null : node,
        storageClass.meta().annotations());
  }

  /** What was made, as an object. */
  Document document(Provisioner.Provisioned made) {
    AccessModes modes =
        made.accessModes().written().isEmpty()
            ? AccessModes.of("ReadWriteOnce")
            : made.accessModes();
    Document object =
        Document.empty()
            .set("yes", "metadata", "annotations", Marks.BOUND_BY_CONTROLLER)
            .set(plugin, "metadata", "annotations", Marks.PROVISIONED_BY)
            .set(made.capacity().toString(), "spec", "capacity", "storage")
            .set(modes.written(), "spec", "accessModes")
            .set(claim.volumeMode().toString(), "spec", "volumeMode")
            .set(storageClass.meta().name(), "spec", "storageClassName")
            .set(storageClass.reclaimPolicy().toString(), "spec", "persistentVolumeReclaimPolicy");
    ClaimRefs.pointAt(claim, object);
    made.annotations().forEach((key, value) -> object.set(value, "metadata", "annotations", key));
    if (storageClass.reclaimPolicy() == ReclaimPolicy.DELETE) {
      object.set(List.of(Marks.IN_TREE_FINALIZER), "metadata", "finalizers");
    }
    object.set(new HashMap<>(made.source().attributes()), "spec", made.source().type());
    NodeTerms.set(object, made.topology());
    return object;
  }
}
