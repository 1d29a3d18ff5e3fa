package dev.mooring.it.sim;

import dev.mooring.attachdetach.AttachDetachConfig;
import dev.mooring.attachdetach.AttachDetachController;
import dev.mooring.binder.BinderController;
import dev.mooring.informer.Informer;
import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.CsiDriver;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.Pod;
import dev.mooring.model.Volume;
import dev.mooring.operation.Plugins;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** One running attach/detach controller: its caches, its connection with faults, its threads. */
final class AttachProcess {
  private final AttachWorld world;
  private final SimWatch<Pod> pods;
  private final SimWatch<Claim> claims;
  private final SimWatch<Volume> volumes;
  private final SimWatch<Node> nodes;
  private final SimWatch<Attachment> attachments;
  private final SimWatch<CsiDriver> drivers;
  private final AttachDetachController controller;
  private final AttachDetachController.Steps steps;

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
    int[] jobs = new int[1];
    controller =
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
            new AttachDetachController.Ports(
                connection, connection, world::event, Plugins.NONE, world.clock().of(this)),
            body -> world.scheduler().thread("job " + ++jobs[0], this, body));
    steps = controller.steps();
  }

  /** Begins to act. */
  AttachProcess begin() {
    try {
      steps.begin();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return this;
  }

  /** Takes over: compares what it knows with the server, then begins. */
  AttachProcess takeOver() {
    watches().forEach(SimWatch::prove);
    return begin();
  }

  List<SimWatch<?>> watches() {
    return List.of(pods, claims, volumes, nodes, attachments, drivers);
  }

  /** Starts a thread that does one step of that queue, if one is due. */
  boolean work(int queue) {
    if (controller.queueStats().get(queue).depth() == 0) {
      return false;
    }
    Callable<Boolean> step =
        switch (queue) {
          case 0 -> steps::triggers;
          case 1 -> steps::volume;
          default -> steps::status;
        };
    if (queue == 0) {
      call(step); // one at a time, as the real one has one worker; it never waits
    } else {
      world.scheduler().thread("queue " + queue, this, () -> call(step)).start();
    }
    return true;
  }

  private static void call(Callable<Boolean> step) {
    try {
      step.call();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  boolean hasWork() {
    return controller.queueStats().stream().anyMatch(stats -> stats.depth() > 0);
  }

  /** The process is gone. */
  void end() {
    world.scheduler().kill(this);
    world.clock().forget(this);
    watches().forEach(SimWatch::stop);
  }
}
