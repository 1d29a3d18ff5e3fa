package dev.mooring.binder.state;

import dev.mooring.binder.decide.BinderMarks;
import dev.mooring.binder.decide.MissingPlugin.PluginRole;
import dev.mooring.binder.decide.ProvisionDecider;
import dev.mooring.model.AccessModes;
import dev.mooring.model.Claim;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.StorageClass;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.storage.PluginStorage;
import dev.mooring.storage.VolumeDocuments;
import dev.mooring.storage.VolumeService.Order;
import dev.mooring.storage.VolumeService.ProvisionResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

public record ProvisionJob(Order order, String plugin) {
  public ProvisionJob(Claim claim, StorageClass storageClass, String plugin) {
    this(order(claim, storageClass), plugin);
  }

  private static Order order(Claim claim, StorageClass storageClass) {
    String node = claim.meta().annotation(BinderMarks.SELECTED_NODE);
    return new Order(
        ProvisionDecider.volumeKey(claim).name(),
        claim,
        storageClass,
        node.isEmpty() ? null : node);
  }

  public Claim claim() {
    return order.claim();
  }

  public ObjectKey key() {
    return claim().key();
  }

  public PluginStorage storage(LoadedPlugins plugins) {
    return new PluginStorage(() -> plugins.find(plugin), PluginRole.DELETABLE.message());
  }

  public ProvisionJob withClaim(Claim fullClaim) {
    return new ProvisionJob(order(fullClaim, order.storageClass()).withNode(order.node()), plugin);
  }

  public ProvisionJob withNode(@Nullable Node node) {
    return new ProvisionJob(order.withNode(node), plugin);
  }

  public ProvisionResult.Created completeVolume(PluginStorage.CreatedVolume created) {
    StorageClass storageClass = order.storageClass();
    AccessModes modes = created.volume().accessModes();
    VolumeDocuments.addClaimAndClass(order, created.result().object())
        .set("yes", "metadata", "annotations", BinderMarks.BOUND_BY_CONTROLLER)
        .set(plugin, "metadata", "annotations", BinderMarks.PROVISIONED_BY)
        .set(
            (modes.written().isEmpty() ? AccessModes.of("ReadWriteOnce") : modes).written(),
            "spec",
            "accessModes");
    if (storageClass.reclaimPolicy() == ReclaimPolicy.DELETE) {
      created
          .result()
          .object()
          .set(List.of(BinderMarks.IN_TREE_FINALIZER), "metadata", "finalizers");
    }
    return created.result();
  }
}
