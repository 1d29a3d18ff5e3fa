package dev.mooring.it.sim;

import dev.mooring.attachdetach.AttachDetachConfig;
import dev.mooring.attachdetach.AttachDetachController;
import dev.mooring.binder.BinderController;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.ReadResult;
import dev.mooring.informer.Informer;
import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.CsiDriver;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.Pod;
import dev.mooring.model.Volume;
import dev.mooring.operation.Plugins;
import dev.mooring.reconcile.ControllerRuntime;
import dev.mooring.time.Time;
import java.util.List;
import java.util.Map;

/** One running attach/detach controller: its caches, its connection with faults, its threads. */
final class AttachProcess {
  private final AttachWorld world;
  private final SimWatch<Pod> pods;
  private final SimWatch<Claim> claims;
  private final SimWatch<Volume> volumes;
  private final SimWatch<Node> nodes;
  private final SimWatch<Attachment> attachments;
  private final SimWatch<CsiDriver> drivers;
  private final ControllerRuntime controller;

  /**
   * One that stands by, with caches that are full.
   *
   * @param large whether pods, nodes and attachments are more than a page has
   */
  AttachProcess(AttachWorld world, SimServer server, boolean large) {
    this.world = world;
    pods =
        new SimWatch<>(
            Kind.POD,
            server,
            new Informer<>(
                Kind.POD,
                List.of(BinderController.PODS_BY_CLAIM, AttachDetachController.PODS_BY_NODE)),
            large);
    claims = new SimWatch<>(Kind.CLAIM, server, new Informer<>(Kind.CLAIM, List.of()));
    volumes = new SimWatch<>(Kind.VOLUME, server, new Informer<>(Kind.VOLUME, List.of()));
    nodes = new SimWatch<>(Kind.NODE, server, new Informer<>(Kind.NODE, List.of()), large);
    attachments =
        new SimWatch<>(Kind.ATTACHMENT, server, new Informer<>(Kind.ATTACHMENT, List.of()), large);
    drivers = new SimWatch<>(Kind.CSI_DRIVER, server, new Informer<>(Kind.CSI_DRIVER, List.of()));
    watches().forEach(SimWatch::start);
    SimConnection connection =
        new SimConnection(
            world,
            server,
            Map.of(Kind.NODE, nodes.informer(), Kind.ATTACHMENT, attachments.informer()));
    Time time = world.clock().of(this);
    controller =
        new ControllerRuntime(
            new AttachDetachController(
                    AttachDetachConfig.DEFAULTS,
                    new AttachDetachController.Informers(
                        pods.informer(),
                        BinderController.PODS_BY_CLAIM,
                        claims.informer(),
                        volumes.informer(),
                        nodes.informer(),
                        attachments.informer(),
                        drivers.informer()),
                    new ClusterPorts(
                        connection,
                        connection,
                        world::event,
                        (key, uid) -> new ReadResult.Found<>(List.of()),
                        time),
                    Plugins.NONE)
                .spec(),
            time);
  }

  /** Begins to act, as the program does. */
  AttachProcess begin() {
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
  AttachProcess takeOver() {
    watches().forEach(SimWatch::prove);
    return begin();
  }

  List<SimWatch<?>> watches() {
    return List.of(pods, claims, volumes, nodes, attachments, drivers);
  }

  /** Whether a key is queued, or is about to be. */
  boolean hasWork() {
    return !controller.isIdle();
  }

  /** The process is gone. */
  void end() {
    world.scheduler().kill(this);
    world.clock().forget(this);
    watches().forEach(SimWatch::stop);
  }
}
