package dev.mooring.it.sim;

import dev.mooring.attachdetach.AttachDetachConfig;
import dev.mooring.attachdetach.AttachDetachController;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.ReadResult;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.CsiDriver;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.Pod;
import dev.mooring.model.Volume;
import dev.mooring.reconcile.ControllerRuntime;
import dev.mooring.storage.Plugins;
import dev.mooring.time.Time;
import java.util.List;

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
    SharedInformers informers = new SharedInformers();
    Time time = world.clock().of(this);
    SimConnection connection = new SimConnection(world, server, informers);
    controller =
        new ControllerRuntime(
            new AttachDetachController(
                    AttachDetachConfig.DEFAULTS,
                    informers,
                    new ClusterPorts(
                        connection,
                        connection,
                        world::event,
                        (key, uid) -> new ReadResult.Found<>(List.of()),
                        time),
                    Plugins.NONE)
                .spec(),
            time);
    pods = new SimWatch<>(server, informers.of(Kind.POD), large);
    claims = new SimWatch<>(server, informers.of(Kind.CLAIM));
    volumes = new SimWatch<>(server, informers.of(Kind.VOLUME));
    nodes = new SimWatch<>(server, informers.of(Kind.NODE), large);
    attachments = new SimWatch<>(server, informers.of(Kind.ATTACHMENT), large);
    drivers = new SimWatch<>(server, informers.of(Kind.CSI_DRIVER));
    watches().forEach(SimWatch::start);
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
