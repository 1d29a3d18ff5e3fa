package dev.mooring.testkit;

import dev.mooring.informer.Informer;
import dev.mooring.informer.Reflector;
import dev.mooring.model.Resource;
import dev.mooring.reconcile.ControllerRuntime;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.List;

/**
 * Runs a controller with its own threads over the caches of an {@link InMemoryCluster}, for tests
 * that block requests. Put objects into the cluster after the start.
 */
public final class RunningController implements AutoCloseable {
  private static final Duration GRACE = Duration.ofSeconds(5);

  private final ControllerRuntime runtime;
  private final List<Reflector<?>> reflectors;

  private RunningController(ControllerRuntime runtime, List<Reflector<?>> reflectors) {
    this.runtime = runtime;
    this.reflectors = reflectors;
  }

  public static RunningController start(ControllerSpec spec, Time time)
      throws InterruptedException {
    ControllerRuntime runtime = new ControllerRuntime(spec, time);
    List<Reflector<?>> reflectors =
        runtime.reads().stream().<Reflector<?>>map(cache -> startReflector(cache, time)).toList();
    runtime.start();
    return new RunningController(runtime, reflectors);
  }

  private static <T extends Resource> Reflector<T> startReflector(Informer<T> informer, Time time) {
    Reflector<T> reflector = new Reflector<>(informer, GivenListWatch.empty(), time, () -> 0.5);
    reflector.start();
    return reflector;
  }

  @Override
  public void close() {
    try {
      runtime.stop(GRACE);
      for (Reflector<?> reflector : reflectors) {
        reflector.stop();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
