package dev.mooring.it.sim;

import dev.mooring.binder.BinderConfig;
import dev.mooring.binder.BinderController;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.ReadResult;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.Pod;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Volume;
import dev.mooring.reconcile.ControllerRuntime;
import dev.mooring.time.Time;
import java.util.List;

/** One running controller: its caches, its connection with faults, its threads. */
final class Process {
  private final World world;
  private final SimWatch<Claim> claims;
  private final SimWatch<Volume> volumes;
  private final SimWatch<StorageClass> classes;
  private final SimWatch<Pod> pods;
  private final SimWatch<Node> nodes;
  private final ControllerRuntime controller;

  Process(World world, SimServer server, SimStorage storage) {
    this.world = world;
    SharedInformers informers = new SharedInformers();
    Time time = world.clock().of(this);
    SimConnection connection = new SimConnection(world, server, informers);
    controller =
        new ControllerRuntime(
            new BinderController(
                    BinderConfig.DEFAULTS,
                    informers,
                    new ClusterPorts(
                        connection,
                        connection,
                        event -> {},
                        (pod, uid) -> new ReadResult.Found<>(List.of()),
                        time),
                    storage.plugins(this))
                .spec(),
            time);
    claims = new SimWatch<>(server, informers.of(Kind.CLAIM));
    volumes = new SimWatch<>(server, informers.of(Kind.VOLUME));
    classes = new SimWatch<>(server, informers.of(Kind.STORAGE_CLASS));
    pods = new SimWatch<>(server, informers.of(Kind.POD));
    nodes = new SimWatch<>(server, informers.of(Kind.NODE));
    all().forEach(SimWatch::start);
  }

  /** Begins to act, as the program does. */
  Process begin() {
    world.scheduler().thread("start", this, this::start).start();
    return this;
  }

  private void start() {
    try {
      controller.start();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Takes over: compares what it knows with the server, then begins. */
  Process takeOver() {
    watches().forEach(SimWatch::prove);
    return begin();
  }

  private List<SimWatch<?>> all() {
    return List.of(claims, volumes, classes, pods, nodes);
  }

  /** Those that may tell something. */
  List<SimWatch<?>> watches() {
    return world.hasNodes() ? all() : List.of(claims, volumes, classes, pods);
  }

  /** Whether a key is queued, or is about to be. */
  boolean hasWork() {
    return !controller.isIdle();
  }

  /** The process is gone. */
  void end() {
    world.scheduler().kill(this);
    world.clock().forget(this);
    all().forEach(SimWatch::stop);
  }
}
