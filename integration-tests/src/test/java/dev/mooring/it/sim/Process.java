package dev.mooring.it.sim;

import dev.mooring.binder.BinderConfig;
import dev.mooring.binder.BinderController;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.informer.Informer;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Resource;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Uid;
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
    watches().forEach(SimWatch::start);
    Connection connection = new Connection(server);
    int[] jobs = new int[1];
    controller =
        new BinderController(
            BinderConfig.DEFAULTS,
            new BinderController.Informers(
                claims.informer(), volumes.informer(), classes.informer(), pods.informer()),
            new BinderController.Ports(
                connection, connection, event -> {}, storage.plugins(this), world.clock().of(this)),
            body -> world.baton().thread("job " + ++jobs[0], this, body));
    steps = controller.steps();
    steps.watchVolumes();
  }

  List<SimWatch<?>> watches() {
    return List.of(claims, volumes, classes, pods);
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
        .baton()
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
    if (!judging && controller.queueStats().get(1).depth() == 0 && !world.baton().isBusy(this)) {
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
    world.baton().kill(this);
    world.clock().forget(this);
    watches().forEach(SimWatch::stop);
  }

  /** The server as this process reaches it. */
  private final class Connection implements ClusterWriter, LiveReader {
    private final SimServer server;

    Connection(SimServer server) {
      this.server = server;
    }

    private <T extends Resource> WriteResult<T> write(
        Kind<T> kind, ObjectKey key, java.util.function.Supplier<WriteResult<T>> write) {
      world.point();
      World.Fault fault = world.fault();
      if (fault == World.Fault.LOST) {
        return new WriteResult.Unreachable<>("no answer");
      }
      T before = server.find(kind, key);
      WriteResult<T> result = write.get();
      world.checkWrite(before, result);
      world.point();
      if (fault == World.Fault.ANSWER_LOST) {
        return new WriteResult.Unreachable<>("no answer");
      }
      if (result instanceof WriteResult.Written<T>(T now)) {
        wrote(kind, now);
      }
      return result;
    }

    @SuppressWarnings("unchecked") // each informer has the kind that it is asked for
    private <T extends Resource> void wrote(Kind<T> kind, T now) {
      Informer<T> informer =
          (Informer<T>)
              (kind == Kind.CLAIM
                  ? claims.informer()
                  : kind == Kind.VOLUME ? volumes.informer() : pods.informer());
      informer.wrote(now);
    }

    @Override
    public <T extends Resource> WriteResult<T> patch(Kind<T> kind, ObjectKey key, Document patch) {
      return write(kind, key, () -> server.patch(kind, key, patch, false));
    }

    @Override
    public <T extends Resource> WriteResult<T> patchStatus(
        Kind<T> kind, ObjectKey key, Document patch) {
      return write(kind, key, () -> server.patch(kind, key, patch, true));
    }

    @Override
    public <T extends Resource> WriteResult<T> create(
        Kind<T> kind, ObjectKey key, Document object) {
      return write(kind, key, () -> server.create(kind, key, object));
    }

    @Override
    public <T extends Resource> WriteResult<T> delete(Kind<T> kind, ObjectKey key, Uid uid) {
      WriteResult<T> result = write(kind, key, () -> server.delete(kind, key, uid));
      if (result instanceof WriteResult.Gone<T> && kind == Kind.VOLUME) {
        volumes.informer().deleted(key, uid);
      }
      return result;
    }

    @Override
    public <T extends Resource> ReadResult<T> read(Kind<T> kind, ObjectKey key) {
      world.point();
      if (world.fault() != World.Fault.NONE) {
        return new ReadResult.Failed<>("no answer");
      }
      T found = server.find(kind, key);
      return found == null ? new ReadResult.Absent<>() : new ReadResult.Found<>(found);
    }

    @Override
    public ReadResult<Map<String, Object>> readWhole(Kind<?> kind, ObjectKey key) {
      return new ReadResult.Failed<>("not simulated");
    }

    @Override
    public <T extends Resource> ReadResult<List<T>> list(Kind<T> kind, String namespace) {
      return new ReadResult.Failed<>("not simulated");
    }
  }
}
