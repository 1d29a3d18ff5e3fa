package dev.mooring.apiserver.simulate;

import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.kinds.KindCatalogue;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs simple versions of Kubernetes' controllers. One thread compares all objects with their
 * desired state after every write. It writes without HTTP, as no user.
 */
public final class ControllerSimulator implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(ControllerSimulator.class.getName());
  private static final long PAUSE_NANOS = Duration.ofMillis(5).toNanos();

  private final ObjectHandlers handlers;
  private final List<ControllerPass> controllers;
  private final Thread thread;
  private volatile boolean isRunning = true;

  private ControllerSimulator(ObjectHandlers handlers, List<ControllerPass> controllers) {
    this.handlers = handlers;
    this.controllers = controllers;
    this.thread =
        Thread.ofPlatform().daemon().name("simulated-controllers").unstarted(this::runUntilClosed);
  }

  /**
   * Starts controllers.
   *
   * @param namespace the namespace of the objects that they change; "" for all. {@link
   *     SimulatedController#NAMESPACES} always acts on all.
   */
  public static ControllerSimulator start(
      ObjectHandlers handlers, Set<SimulatedController> controllers, String namespace) {
    List<ControllerPass> passes =
        new TreeSet<>(controllers).stream().map(c -> c.create(handlers, namespace)).toList();
    ControllerSimulator simulator = new ControllerSimulator(handlers, passes);
    simulator.thread.start();
    return simulator;
  }

  private void runUntilClosed() {
    if (controllers.isEmpty()) {
      return;
    }
    long lastVersion = -1;
    try {
      while (isRunning) {
        long version = handlers.store(KindCatalogue.PODS).version();
        if (version == lastVersion) {
          LockSupport.parkNanos(PAUSE_NANOS);
        } else {
          lastVersion = version;
          controllers.forEach(ControllerPass::run);
        }
      }
    } catch (RuntimeException bug) {
      LOG.log(Level.ERROR, "the simulated controllers stopped because of a bug", bug);
    }
  }

  /** Stops the controllers and waits for their thread. */
  @Override
  public void close() {
    isRunning = false;
    LockSupport.unpark(thread);
    try {
      thread.join(); // the thread must not write to a server that the caller closes next
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
