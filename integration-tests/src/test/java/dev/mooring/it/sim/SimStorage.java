package dev.mooring.it.sim;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Failure;
import dev.mooring.spi.Provisioner;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.storage.Plugins;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Storage whose volumes are entries of a map; idempotent by name, as the SPI asks. */
final class SimStorage {
  static final String NAME = "kubernetes.io/sim";
  static final String HANDLE = "volumeHandle";

  /** A volume in the storage. */
  record Asset(ObjectKey claim, Uid claimUid, Object madeBy) {}

  private final World world;
  final Map<String, Asset> assets = new TreeMap<>();
  private final Set<String> forgiven = new HashSet<>();

  SimStorage(World world) {
    this.world = world;
  }

  /** The server forgets what it knew of these: they may be left behind. */
  void forgiveAll() {
    forgiven.addAll(assets.keySet());
  }

  /** Which volumes may be left behind. */
  Set<String> forgiven() {
    return forgiven;
  }

  /** The storage's plugin, loaded in one process. */
  Plugins plugins(Process process) {
    return new OnePlugin(new Plugin(process));
  }

  private final class Plugin implements VolumePlugin, Provisioner, Deleter {
    private final Process process;

    Plugin(Process process) {
      this.process = process;
    }

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public boolean supports(VolumeSource source) {
      return source.type().equals("hostPath") && source.attribute("path").startsWith("/sim/");
    }

    @Override
    public Optional<Provisioner> provisioner() {
      return Optional.of(this);
    }

    @Override
    public Optional<Deleter> deleter() {
      return Optional.of(this);
    }

    @Override
    public Attempt<Provisioned> provision(Provisioner.Request request) {
      world.point();
      Outside.Fault fault = world.fault();
      if (fault != Outside.Fault.LOST) {
        assets.putIfAbsent(
            request.volumeName(), new Asset(request.claim().key(), request.claim().uid(), process));
      }
      world.point();
      return fault == Outside.Fault.NONE
          ? Attempt.done(
              new Provisioned(
                  VolumeSource.hostPath("/sim/" + request.volumeName()),
                  request.capacity(),
                  request.accessModes(),
                  Map.of()))
          : new Attempt.Failed<>(new Failure.Uncertain("the storage did not answer"));
    }

    @Override
    public Attempt<Gone> delete(Deleter.Request request) {
      world.point();
      Outside.Fault fault = world.fault();
      if (fault != Outside.Fault.LOST) {
        world.checkDeletion(request.volumeName());
        assets.remove(request.volumeName());
      }
      world.point();
      return fault == Outside.Fault.NONE
          ? Attempt.done(new Gone())
          : new Attempt.Failed<>(new Failure.Unreachable("the storage did not answer"));
    }
  }
}
