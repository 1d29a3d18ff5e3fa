package dev.mooring.storage;

import dev.mooring.cluster.Document;
import dev.mooring.cluster.NodeAffinityWriter;
import dev.mooring.model.Claim;
import dev.mooring.model.Node;
import dev.mooring.model.StorageClass;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Failure;
import dev.mooring.spi.Provisioner;
import dev.mooring.spi.Provisioner.Provisioned;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.storage.VolumeService.DestroyResult;
import dev.mooring.storage.VolumeService.Order;
import dev.mooring.storage.VolumeService.ProvisionResult;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Provisions and deletes volumes with one plugin. Callers decide how a failure affects the claim.
 * Thread-safe; blocks.
 */
public final class PluginStorage {
  private final Supplier<Optional<VolumePlugin>> plugin;
  private final String noDeleterMessage;

  public PluginStorage(Supplier<Optional<VolumePlugin>> plugin, String noDeleterMessage) {
    this.plugin = plugin;
    this.noDeleterMessage = noDeleterMessage;
  }

  public Optional<VolumeCreator> volumeCreator() {
    return plugin.get().flatMap(VolumePlugin::provisioner).map(VolumeCreator::new);
  }

  /** Provisions volumes with the plugin that was loaded when the maker was requested. */
  public final class VolumeCreator {
    private final Provisioner provisioner;

    private VolumeCreator(Provisioner provisioner) {
      this.provisioner = provisioner;
    }

    public Attempt<Optional<String>> ignores(Order order) {
      return provisioner.ignores(toRequest(order));
    }

    public boolean needsNode() {
      return provisioner.needsNode();
    }

    public boolean needsFullClaims(StorageClass storageClass) {
      return provisioner.needsFullClaims(storageClass.parameters());
    }

    public Optional<String> refuses(Order order) {
      return provisioner.refuses(toRequest(order));
    }

    public Attempt<CreatedVolume> provision(Order order) {
      Provisioner.Request request = toRequest(order);
      return switch (provisioner.provision(request)) {
        case Attempt.Done<Provisioned>(Provisioned provisioned) ->
            Attempt.done(
                new CreatedVolume(
                    provisioned,
                    new ProvisionResult.Created(
                        toDocument(provisioned),
                        () -> destroy(Deleter.Request.of(request, provisioned)))));
        case Attempt.Failed<Provisioned>(Failure failure) -> new Attempt.Failed<>(failure);
      };
    }
  }

  public record CreatedVolume(Provisioned volume, ProvisionResult.Created result) {}

  public static Provisioner.Request toRequest(Order order) {
    Claim claim = order.claim();
    return new Provisioner.Request(
        order.volumeName(),
        new Provisioner.ClaimInfo(
            claim.key(), claim.meta().uid(), claim.meta().labels(), claim.meta().annotations()),
        claim.request(),
        claim.accessModes(),
        claim.volumeMode(),
        order.storageClass().meta().name(),
        order.storageClass().parameters(),
        order.storageClass().mountOptions(),
        order.selectedNode(),
        order.storageClass().meta().annotations(),
        order.storageClass().allowedTopologies(),
        toNodeInfo(order.node()));
  }

  private static Provisioner.@Nullable NodeInfo toNodeInfo(@Nullable Node node) {
    return node == null
        ? null
        : new Provisioner.NodeInfo(
            node.meta().name(), node.meta().labels(), node.meta().annotations());
  }

  private static Document toDocument(Provisioned provisioned) {
    Map<String, Object> attributes = new HashMap<>(provisioned.source().attributes());
    Document object =
        Document.empty()
            .set(provisioned.capacity().toString(), "spec", "capacity", "storage")
            .set(attributes, "spec", provisioned.source().type());
    provisioned
        .annotations()
        .forEach((key, value) -> object.set(value, "metadata", "annotations", key));
    NodeAffinityWriter.set(object, provisioned.topology());
    return object;
  }

  /**
   * Asks the plugin whether it serves the volume.
   *
   * @return {@link DestroyResult.NotResponsible} if another provisioner of the same name does,
   *     {@link DestroyResult.Failed} if the plugin did not answer; empty if it serves the volume or
   *     deletes no volumes
   */
  public Optional<DestroyResult> checkService(Deleter.Request request) {
    Optional<Deleter> deleter = plugin.get().flatMap(VolumePlugin::deleter);
    if (deleter.isEmpty()) {
      return Optional.empty();
    }
    return switch (deleter.get().ignores(request)) {
      case Attempt.Done<Optional<String>>(Optional<String> reason) ->
          reason.map(DestroyResult.NotResponsible::new);
      case Attempt.Failed<Optional<String>>(Failure failure) ->
          Optional.of(new DestroyResult.Failed(failure.message()));
    };
  }

  public DestroyResult destroy(Deleter.Request request) {
    return plugin
        .get()
        .flatMap(VolumePlugin::deleter)
        .map(deleter -> toResult(deleter.delete(request)))
        .orElse(new DestroyResult.Failed(noDeleterMessage));
  }

  private static DestroyResult toResult(Attempt<Deleter.Deleted> attempt) {
    return switch (attempt) {
      case Attempt.Done<Deleter.Deleted> _ -> new DestroyResult.Destroyed();
      case Attempt.Failed<Deleter.Deleted>(Failure failure) ->
          new DestroyResult.Failed(failure.message());
    };
  }
}
