package dev.mooring.it.sim;

import dev.mooring.binder.BinderConfig;
import dev.mooring.binder.BinderController;
import dev.mooring.cluster.ReadResult;
import dev.mooring.informer.Informer;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.Pod;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Volume;
import java.util.List;
import java.util.Map;

/** One running controller: its caches, its connection with faults, its threads. */
final class Process {
  private final World world;
  private final SimWatch<Claim> claims;
  private final SimWatch<Volume> volumes;
  private final SimWatch<StorageClass> classes;
  private final SimWatch<Pod> pods;
  private final SimWatch<Node> nodes;
  private final BinderController.Steps steps;
  private final BinderController controller;
  private boolean judging;

  Process(World world, SimServer server, SimStorage storage) {
    this.world = world;
    claims = new SimWatch<>(Kind.CLAIM, server, new Informer<>(Kind.CLAIM, List.of()));
    volumes = new SimWatch<>(Kind.VOLUME, server, new Informer<>(Kind.VOLUME, List.of()));
    classes =
        new SimWatch<>(Kind.STORAGE_CLASS, server, new Informer<>(Kind.STORAGE_CLASS, List.of()));
    pods =
        new SimWatch<>(
            Kind.POD, server, new Informer<>(Kind.POD, List.of(BinderController.PODS_BY_CLAIM)));
    nodes = new SimWatch<>(Kind.NODE, server, new Informer<>(Kind.NODE, List.of()));
    watches().forEach(SimWatch::start);
    SimConnection connection =
        new SimConnection(
            world,
            server,
            Map.of(
                Kind.CLAIM,
                claims.informer(),
                Kind.VOLUME,
                volumes.informer(),
                Kind.POD,
                pods.informer()));
    int[] jobs = new int[1];
    controller =
        new BinderController(
            BinderConfig.DEFAULTS,
            new BinderController.Informers(
                claims.informer(),
                volumes.informer(),
                classes.informer(),
                pods.informer(),
                nodes.informer()),
            new BinderController.Ports(
                connection,
                connection,
                event -> {},
                (pod, uid) -> new ReadResult.Found<>(List.of()),
                storage.plugins(this),
                world.clock().of(this)),
            body -> world.scheduler().thread("job " + ++jobs[0], this, body));
    steps = controller.steps();
  }

  /** Begins to act. */
  Process begin() {
    steps.watchVolumes();
    return this;
  }

  /** Takes over: compares what it knows with the server, then begins. */
  Process takeOver() {
    watches().forEach(SimWatch::prove);
    return begin();
  }

  List<SimWatch<?>> watches() {
    return world.hasNodes()
        ? List.of(claims, volumes, classes, pods, nodes)
        : List.of(claims, volumes, classes, pods);
  }

  /** Starts a thread that reconciles one key, if one is due. */
  boolean work(boolean volume) {
    if (!judging && !volume) {
      return false;
    }
    if (controller.queueStats().get(volume ? 1 : 0).depth() == 0) {
      return false;
    }
    world
        .scheduler()
        .thread(
            volume ? "volume" : "claim",
            this,
            () -> {
              try {
                if (volume) {
                  steps.volume();
                } else {
                  steps.claim();
                }
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            })
        .start();
    return true;
  }

  /** Claims are judged once every volume has been looked at. */
  void judgeClaimsIfVolumesAreDone() {
    if (!judging
        && controller.queueStats().get(1).depth() == 0
        && !world.scheduler().isBusy(this)) {
      judging = true;
      steps.watchClaims();
    }
  }

  boolean isJudging() {
    return judging;
  }

  boolean hasWork() {
    return controller.queueStats().stream().anyMatch(stats -> stats.depth() > 0);
  }

  void resync() {
    if (judging) {
      steps.resync();
    }
  }

  /** The process is gone. */
  void end() {
    world.scheduler().kill(this);
    world.clock().forget(this);
    watches().forEach(SimWatch::stop);
  }
}
