package dev.mooring.apiserver.simulate;

import dev.mooring.apiserver.handle.ObjectHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Runs simple versions of Kubernetes' controllers. One thread compares all objects with their
 * desired state after every write. It writes without HTTP, as no user.
 */
public final class ControllerSimulator implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(5);

  private final Optional<PassThread> thread;

  private ControllerSimulator(Optional<PassThread> thread) {
    this.thread = thread;
  }

  /**
   * Starts controllers.
   *
   * @param namespace the namespace of the objects that they change; "" for all. {@link
   *     SimulatedController#NAMESPACES} always acts on all.
   */
  public static ControllerSimulator start(
      ObjectHandlers handlers, Set<SimulatedController> controllers, String namespace) {
    if (controllers.isEmpty()) {
      return new ControllerSimulator(Optional.empty());
    }
    List<ControllerPass> passes =
        new TreeSet<>(controllers).stream().map(c -> c.create(handlers, namespace)).toList();
    return new ControllerSimulator(
        Optional.of(
            PassThread.start(
                handlers,
                "simulated-controllers",
                PAUSE,
                () -> passes.forEach(ControllerPass::run))));
  }

  /** Returns whether the simulation has seen every write and has nothing to do. */
  public boolean isAtRest() {
    return thread.map(PassThread::isAtRest).orElse(true);
  }

  /** Stops the controllers and waits for their thread. */
  @Override
  public void close() {
    thread.ifPresent(PassThread::close);
  }
}
