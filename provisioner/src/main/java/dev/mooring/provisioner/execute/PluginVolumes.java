package dev.mooring.provisioner.execute;

import dev.mooring.cluster.Document;
import dev.mooring.cluster.NodeTerms;
import dev.mooring.model.Claim;
import dev.mooring.model.Volume;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Deleter.Gone;
import dev.mooring.spi.Failure;
import dev.mooring.spi.Provisioner;
import dev.mooring.spi.Provisioner.Provisioned;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.storage.VolumeService;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** Makes and destroys the volumes of one plugin. Thread-safe. */
public final class PluginVolumes implements VolumeService {
  private final VolumePlugin plugin;
  private final BooleanSupplier present;

  /**
   * For the plugin, which has been started.
   *
   * @param present whether it is there at the moment
   */
  public PluginVolumes(VolumePlugin plugin, BooleanSupplier present) {
    this.plugin = plugin;
    this.present = present;
  }

  @Override
  public Set<String> names() {
    return Set.of(plugin.name());
  }

  @Override
  public boolean isReady() {
    return present.getAsBoolean();
  }

  @Override
  public boolean makesBlockVolumes() {
    return true; // the plugin itself says no where it does not
  }

  @Override
  public Plan plan(Order order) {
    Claim claim = order.claim();
    if (claim.selector() != null) {
      return new Plan.Not(never("claim Selector is not supported"));
    }
    if (claim.hasDataSource()) {
      return new Plan.Not(
          never("plugin " + plugin.name() + " cannot fill a volume from a data source"));
    }
    Optional<Provisioner> provisioner = plugin.provisioner();
    if (provisioner.isEmpty()) {
      // one of another version could, and may have begun
      return new Plan.Not(
          new Making.Failed(State.ENDED, false, "plugin " + plugin.name() + " makes no volumes"));
    }
    Provisioner.Request request = request(order);
    Optional<String> refusal = provisioner.get().refuses(request);
    if (refusal.isPresent()) {
      return new Plan.Not(never(refusal.get()));
    }
    return new Plan.Ask(() -> make(order, provisioner.get(), request));
  }

  private Making make(Order order, Provisioner provisioner, Provisioner.Request request) {
    return switch (provisioner.provision(request)) {
      case Attempt.Done<Provisioned>(Provisioned made) ->
          new Making.Made(document(made), () -> delete(Deleter.Request.of(request, made)));
      case Attempt.Failed<Provisioned>(Failure why) -> failed(order, why);
    };
  }

  private static Making.Failed never(String why) {
    return new Making.Failed(State.FINISHED, true, why);
  }

  private static Provisioner.Request request(Order order) {
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

  private static Making failed(Order order, Failure why) {
    String message =
        "failed to provision volume with StorageClass \""
            + order.storageClass().meta().name()
            + "\": "
            + why.message();
    return switch (why) {
      case Failure.Rejected _ -> never(message);
      case Failure.Exhausted _ ->
          new Making.Failed(
              order.selectedNode() == null ? State.ENDED : State.RESCHEDULE, false, message);
      case Failure.Unreachable _, Failure.InUse _ -> new Making.Failed(State.ENDED, false, message);
      case Failure.Uncertain _, Failure.Fault _ ->
          new Making.Failed(State.BACKGROUND, false, message);
    };
  }

  private static Document document(Provisioned made) {
    Map<String, Object> attributes = new HashMap<>(made.source().attributes());
    Document object =
        Document.empty()
            .set(made.capacity().toString(), "spec", "capacity", "storage")
            .set(attributes, "spec", made.source().type());
    made.annotations().forEach((key, value) -> object.set(value, "metadata", "annotations", key));
    NodeTerms.set(object, made.topology());
    return object;
  }

  @Override
  public Destroying destroy(Volume volume) {
    if (!plugin.supports(volume.source())) {
      if (!present.getAsBoolean()) {
        return new Destroying.Failed("plugin " + plugin.name() + " is not there at the moment");
      }
      return new Destroying.Failed(
          "plugin "
              + plugin.name()
              + " does not know volumes of type \""
              + volume.source().type()
              + "\", although its annotation says that it made this one: correct the annotation, or delete the volume by hand");
    }
    return delete(Deleter.Request.of(volume));
  }

  private Destroying delete(Deleter.Request request) {
    Optional<Deleter> deleter = plugin.deleter();
    if (deleter.isEmpty()) {
      return new Destroying.Failed("plugin " + plugin.name() + " destroys no volumes");
    }
    return switch (deleter.get().delete(request)) {
      case Attempt.Done<Gone> _ -> new Destroying.Destroyed();
      case Attempt.Failed<Gone>(Failure why) -> new Destroying.Failed(why.message());
    };
  }
}
