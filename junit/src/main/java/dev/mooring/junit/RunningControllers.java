package dev.mooring.junit;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.VolumeControllers;
import dev.mooring.apiserver.simulate.ControllerSimulator;
import dev.mooring.apiserver.simulate.SimulatedController;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

final class RunningControllers implements Closeable {
  private final Deque<Closeable> controllers = new ArrayDeque<>();

  private RunningControllers() {}

  static RunningControllers start(
      ApiServer server, List<ClusterController> wanted, String namespace) {
    RunningControllers running = new RunningControllers();
    // first: if they do not start, nothing else has to be stopped
    if (wanted.contains(ClusterController.VOLUMES)) {
      running.controllers.push(startVolumeControllers(server));
    }
    Set<SimulatedController> limited = EnumSet.noneOf(SimulatedController.class);
    Set<SimulatedController> unlimited = EnumSet.noneOf(SimulatedController.class);
    for (ClusterController controller : wanted) {
      controller
          .simulation()
          .ifPresent((controller.isLimitedToNamespace() ? limited : unlimited)::add);
    }
    if (wanted.contains(ClusterController.NAMESPACES)) {
      // the server is of this class alone, so all its namespaces are
      unlimited.addAll(limited);
      limited.clear();
    }
    if (!limited.isEmpty()) {
      running.controllers.push(
          ControllerSimulator.start(server.handlers(), limited, namespace)::close);
    }
    if (!unlimited.isEmpty()) {
      running.controllers.push(ControllerSimulator.start(server.handlers(), unlimited, "")::close);
    }
    return running;
  }

  private static Closeable startVolumeControllers(ApiServer server) {
    VolumeControllers found =
        ServiceLoader.load(VolumeControllers.class, RunningControllers.class.getClassLoader())
            .findFirst()
            .orElseThrow(() ->
                new ExtensionConfigurationException(
                    "controllers = VOLUMES needs dev.mooring:mooring-controller-manager on the class path"));
    try {
      return found.start(server);
    } catch (IOException e) {
      throw new ExtensionConfigurationException(
          "the volume controllers do not start: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ExtensionConfigurationException("the volume controllers do not start", e);
    }
  }

  @Override
  public void close() throws IOException {
    for (Closeable controller : controllers) {
      controller.close();
    }
  }
}
