package dev.mooring.manager.warmup;

import dev.mooring.model.AccessModes;
import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Provisioner;
import dev.mooring.spi.VolumePlugin;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A plugin without storage.
 *
 * @param sourceType type of its volumes, whose path is their name
 */
record WarmUpPlugin(String name, String className, String sourceType) implements VolumePlugin {
  static final List<WarmUpPlugin> ALL =
      List.of(
          new WarmUpPlugin(
              "kubernetes.io/host-path", "in-tree", "hostPath"), // called by the binder
          new WarmUpPlugin("example.com/nfs", "out-of-tree", "nfs"));

  private VolumeSource source(String volume) {
    return new VolumeSource(sourceType, Map.of("server", "warm-up", "path", "/" + volume));
  }

  @Override
  public boolean supports(VolumeSource other) {
    return other.type().equals(sourceType);
  }

  @Override
  public Optional<Provisioner> provisioner() {
    return Optional.of(request ->
        Attempt.done(
            new Provisioner.Provisioned(
                source(request.volumeName()),
                request.capacity(),
                AccessModes.of("ReadWriteOnce"),
                Map.of())));
  }

  @Override
  public Optional<Deleter> deleter() {
    return Optional.of(request -> Attempt.done(new Deleter.Deleted()));
  }
}
