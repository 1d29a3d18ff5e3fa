package dev.mooring.storage;

import dev.mooring.cluster.Document;
import dev.mooring.cluster.NodeAffinityWriter;
import dev.mooring.model.Claim;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Failure;
import dev.mooring.spi.Provisioner;
import dev.mooring.spi.Provisioner.Provisioned;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.storage.VolumeService.Destroying;
import dev.mooring.storage.VolumeService.Order;
import dev.mooring.storage.VolumeService.ProvisionResult;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Provisions and deletes volumes with one plugin. Callers decide how a failure affects the claim.
 * Thread-safe; blocks.
 */
public final class PluginStorage {
  private final Supplier<Optional<VolumePlugin>> plugin;
  private final String noDeleter;

  public PluginStorage(Supplier<Optional<VolumePlugin>> plugin, String noDeleter) {
    this.plugin = plugin;
    this.noDeleter = noDeleter;
  }

  public Optional<Maker> maker() {
    return plugin.get().flatMap(VolumePlugin::provisioner).map(Maker::new);
  }

  /** Provisions volumes with the plugin that was loaded when the maker was requested. */
  public final class Maker {
    private final Provisioner provisioner;

    private Maker(Provisioner provisioner) {
      this.provisioner = provisioner;
    }

    public Optional<String> refuses(Order order) {
      return provisioner.refuses(request(order));
    }

    public Attempt<Made> make(Order order) {
      Provisioner.Request request = request(order);
      return switch (provisioner.provision(request)) {
        case Attempt.Done<Provisioned>(Provisioned made) ->
            Attempt.done(
                new Made(
                    made,
                    new ProvisionResult.Made(
                        document(made), () -> destroy(Deleter.Request.of(request, made)))));
        case Attempt.Failed<Provisioned>(Failure why) -> new Attempt.Failed<>(why);
      };
    }
  }

  public record Made(Provisioned said, ProvisionResult.Made result) {}

  public static Provisioner.Request request(Order order) {
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
        order.storageClass().meta().annotations());
  }

  private static Document document(Provisioned made) {
    Map<String, Object> attributes = new HashMap<>(made.source().attributes());
    Document object =
        Document.empty()
            .set(made.capacity().toString(), "spec", "capacity", "storage")
            .set(attributes, "spec", made.source().type());
    made.annotations().forEach((key, value) -> object.set(value, "metadata", "annotations", key));
    NodeAffinityWriter.set(object, made.topology());
    return object;
  }

  public Destroying destroy(Deleter.Request request) {
    return plugin
        .get()
        .flatMap(VolumePlugin::deleter)
        .map(deleter -> ended(deleter.delete(request)))
        .orElse(new Destroying.Failed(noDeleter));
  }

  private static Destroying ended(Attempt<Deleter.Deleted> attempt) {
    return switch (attempt) {
      case Attempt.Done<Deleter.Deleted> _ -> new Destroying.Destroyed();
      case Attempt.Failed<Deleter.Deleted>(Failure why) -> new Destroying.Failed(why.message());
    };
  }
}
