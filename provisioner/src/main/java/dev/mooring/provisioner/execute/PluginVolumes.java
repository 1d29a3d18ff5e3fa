package dev.mooring.provisioner.execute;

import dev.mooring.model.Claim;
import dev.mooring.model.DataSourceRef;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Volume;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Failure;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.storage.PluginStorage;
import dev.mooring.storage.VolumeService;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** Creates and deletes the volumes of one plugin. Thread-safe. */
public final class PluginVolumes implements VolumeService {
  private final VolumePlugin plugin;
  private final BooleanSupplier isLoaded;
  private final PluginStorage storage;

  public PluginVolumes(VolumePlugin plugin, BooleanSupplier isLoaded) {
    this.plugin = plugin;
    this.isLoaded = isLoaded;
    this.storage =
        new PluginStorage(
            () -> Optional.of(plugin), "plugin " + plugin.name() + " does not delete volumes");
  }

  @Override
  public Set<String> provisionerNames() {
    return Set.of(plugin.name());
  }

  @Override
  public boolean isReady() {
    return isLoaded.getAsBoolean();
  }

  @Override
  public boolean supportsBlockVolumes() {
    return true; // the plugin rejects what it does not support
  }

  @Override
  public boolean needsNodes() {
    return storage.volumeCreator().filter(PluginStorage.VolumeCreator::needsNode).isPresent();
  }

  @Override
  public boolean needsFullClaims(StorageClass storageClass) {
    return storage
        .volumeCreator()
        .filter(creator -> !creator.needsFullClaims(storageClass))
        .isEmpty();
  }

  @Override
  public Plan plan(Order order) {
    Optional<PluginStorage.VolumeCreator> creator = storage.volumeCreator();
    if (creator.isEmpty()) {
      // another version of the plugin may be able to, and may have started
      return new Plan.Blocked(
          new ProvisionResult.Failed(
              State.ENDED, false, "plugin " + plugin.name() + " creates no volumes"));
    }
    return switch (creator.get().ignores(order)) {
      case Attempt.Done<Optional<String>>(Optional<String> reason) ->
          reason.isPresent()
              ? new Plan.NotResponsible(reason.get())
              : planServed(order, creator.get());
      case Attempt.Failed<Optional<String>>(Failure failure) ->
          new Plan.Blocked(
              new ProvisionResult.Failed(State.UNCHANGED, false, describe(order, failure)));
    };
  }

  private Plan planServed(Order order, PluginStorage.VolumeCreator creator) {
    Claim claim = order.claim();
    DataSourceRef source = claim.dataSourceRef();
    if (source != null && source.needsPopulator()) {
      return new Plan.NotResponsible("a populator of %s fills it".formatted(source.kindName()));
    }
    if (claim.selector() != null) {
      return new Plan.Blocked(infeasible("claim Selector is not supported"));
    }
    if (claim.hasDataSource()) {
      return new Plan.Blocked(
          infeasible("plugin " + plugin.name() + " cannot fill a volume from a data source"));
    }
    Optional<String> refusal = creator.refuses(order);
    return refusal.isPresent()
        ? new Plan.Blocked(infeasible(refusal.get()))
        : new Plan.Ready(() -> callPlugin(order, creator));
  }

  private static String describe(Order order, Failure failure) {
    return "failed to provision volume with StorageClass \"%s\": %s"
        .formatted(order.storageClass().meta().name(), failure.message());
  }

  private static ProvisionResult callPlugin(Order order, PluginStorage.VolumeCreator creator) {
    return switch (creator.provision(order)) {
      case Attempt.Done<PluginStorage.CreatedVolume>(PluginStorage.CreatedVolume volume) ->
          volume.result();
      case Attempt.Failed<PluginStorage.CreatedVolume>(Failure failure) -> toFailed(order, failure);
    };
  }

  private static ProvisionResult.Failed infeasible(String message) {
    return new ProvisionResult.Failed(State.FINISHED, true, message);
  }

  private static ProvisionResult toFailed(Order order, Failure failure) {
    String message = describe(order, failure);
    return switch (failure) {
      case Failure.Rejected _ -> infeasible(message);
      case Failure.Exhausted _ ->
          new ProvisionResult.Failed(
              order.selectedNode() == null ? State.ENDED : State.RESCHEDULE, false, message);
      case Failure.Unreachable _, Failure.InUse _ ->
          new ProvisionResult.Failed(State.ENDED, false, message);
      case Failure.Uncertain _, Failure.Fault _ ->
          new ProvisionResult.Failed(State.BACKGROUND, false, message);
    };
  }

  @Override
  public Optional<DestroyResult> checkService(Volume volume) {
    return storage.checkService(Deleter.Request.of(volume));
  }

  @Override
  public DestroyPlan planDestruction(Volume volume) {
    if (!plugin.supports(volume.source())) {
      return new DestroyPlan.Blocked(new DestroyResult.Failed(describeUnsupported(volume)));
    }
    return new DestroyPlan.Ready(() -> storage.destroy(Deleter.Request.of(volume)));
  }

  private String describeUnsupported(Volume volume) {
    return isLoaded.getAsBoolean()
        ? "plugin %s does not support volumes of type \"%s\" with such an address, although the volume's annotation names it as the provisioner. If the plugin's configuration no longer has the path, add it again. Otherwise correct the annotation, or delete the volume by hand"
            .formatted(plugin.name(), volume.source().type())
        : "plugin " + plugin.name() + " is not loaded now";
  }
}
