package dev.mooring.benchmarks;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.ReadResult;
import dev.mooring.informer.Informer;
import dev.mooring.informer.ListWatch;
import dev.mooring.informer.Reflector;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Kind;
import dev.mooring.model.Resource;
import dev.mooring.reconcile.ControllerRuntime;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.time.SystemTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * A controller over caches that the benchmark fills, without a cluster. The objects must need no
 * request; otherwise the benchmark would also measure requests.
 */
final class OfflineController {
  private final SystemTime time = new SystemTime();
  private final NoServer server = new NoServer();
  private final SharedInformers informers = new SharedInformers();
  private final List<Reflector<?>> reflectors = new ArrayList<>();
  private final ControllerRuntime controller;

  OfflineController(BiFunction<SharedInformers, ClusterPorts, ControllerSpec> spec) {
    ClusterPorts ports =
        new ClusterPorts(
            server, server, event -> {}, (key, uid) -> new ReadResult.Found<>(List.of()), time);
    controller = new ControllerRuntime(spec.apply(informers, ports), time);
  }

  <T extends Resource> Informer<T> fill(Kind<T> kind, List<T> objects) throws InterruptedException {
    return sync(informers.of(kind), objects);
  }

  private <T extends Resource> Informer<T> sync(Informer<T> informer, List<T> objects)
      throws InterruptedException {
    Reflector<T> reflector =
        new Reflector<>(informer, new FixedListWatch<>(objects), time, () -> 0.5);
    reflectors.add(reflector);
    reflector.start();
    informer.awaitSynced();
    return informer;
  }

  void start() throws InterruptedException {
    for (Informer<?> informer : controller.reads()) {
      if (!informer.isSynced()) {
        sync(informer, List.of());
      }
    }
    controller.start();
    settle();
  }

  void settle() {
    while (!controller.isIdle()) {
      Thread.onSpinWait();
    }
  }

  /**
   * Stops the controller and the reflectors.
   *
   * @throws IllegalStateException if the controller has sent requests
   */
  void stop() throws InterruptedException {
    controller.stop(Duration.ofSeconds(5));
    for (Reflector<?> reflector : reflectors) {
      reflector.stop();
    }
    time.close();
    if (server.requests() != 0) {
      throw new IllegalStateException(
          server.requests() + " requests for objects that need no action");
    }
  }

  private record FixedListWatch<T extends Resource>(List<T> objects) implements ListWatch<T> {
    @Override
    public boolean streamsLists() {
      return false;
    }

    @Override
    public long list(Consumer<T> consumer) {
      objects.forEach(consumer);
      return objects.size() + 1L;
    }

    @Override
    public Page listFirstPage(int limit, Consumer<T> consumer) {
      return new Page(objects.size() + 1L, false);
    }

    @Override
    public void watch(long from, boolean everything, Sink<T> sink) throws InterruptedException {
      Thread.sleep(Duration.ofHours(1));
    }

    @Override
    public void catchUp(long from, Sink<T> sink) {
      // watches deliver no events
    }
  }
}
