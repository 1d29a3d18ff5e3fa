package dev.mooring.manager.lifecycle;

import dev.mooring.csi.CapacityCount;
import dev.mooring.csi.DriverBridge;
import dev.mooring.csi.DriverStanding;
import dev.mooring.informer.Informer;
import dev.mooring.operation.OperationStats;
import dev.mooring.provisioner.ProvisionController;
import dev.mooring.reconcile.Controller;
import dev.mooring.reconcile.ControllerRuntime;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.workqueue.QueueStats;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Stream;

/** Every CSI driver that is driven from here, as one controller. */
public final class CsiBridge implements Controller {
  /** Its name in {@code --controllers}. */
  public static final String NAME = "csi-bridge";

  /**
   * A driver and what makes its volumes.
   *
   * @param bridge the driver
   * @param provisioner makes its volumes
   */
  record Driven(DriverBridge bridge, ProvisionController provisioner) {
    private List<ControllerRuntime> controllers(
        Function<ControllerSpec, ControllerRuntime> runtimeOf) {
      return Stream.concat(bridge.controllers().stream(), Stream.of(provisioner.spec()))
          .map(runtimeOf)
          .toList();
    }
  }

  private record Running(Driven driven, List<ControllerRuntime> controllers) {}

  private final List<Driven> drivers;
  private final List<Running> running;

  CsiBridge(List<Driven> drivers, Function<ControllerSpec, ControllerRuntime> runtimeOf) {
    this.drivers = List.copyOf(drivers);
    this.running = drivers.stream().map(d -> new Running(d, d.controllers(runtimeOf))).toList();
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<Informer<?>> reads() {
    return drivers.stream().flatMap(d -> d.bridge().reads().stream()).distinct().toList();
  }

  /** From now on drivers are called only while that is so. */
  void callOnlyWhile(BooleanSupplier allowed) {
    drivers.forEach(driver -> driver.bridge().callOnlyWhile(allowed));
  }

  @Override
  public void start() throws InterruptedException {
    for (Running driver : running) {
      driver.driven().bridge().onReady(driver.driven().provisioner()::wake);
      for (Controller controller : driver.controllers()) {
        controller.start();
      }
      driver.driven().bridge().start();
    }
  }

  /**
   * How long the drivers' calls took: an operation is a method and its code, with a blank between.
   */
  public List<OperationStats.Durations> calls() {
    return drivers.stream().flatMap(d -> d.bridge().calls().read().stream()).toList();
  }

  /** How many CSIStorageCapacity objects there are, of drivers for which they are published. */
  public Map<String, CapacityCount> capacities() {
    Map<String, CapacityCount> counts = new LinkedHashMap<>();
    for (Driven driven : drivers) {
      driven.bridge().capacities().ifPresent(c -> counts.put(driven.bridge().driver(), c));
    }
    return counts;
  }

  /** How the drivers are. */
  public List<DriverStanding> drivers() {
    return drivers.stream().map(d -> d.bridge().standing()).toList();
  }

  /** How long it took to make and to destroy volumes, by class. */
  public List<OperationStats.Durations> stats() {
    return drivers.stream().flatMap(d -> d.provisioner().stats().stream()).toList();
  }

  @Override
  public boolean stop(Duration grace) throws InterruptedException {
    boolean clean = true;
    for (Running driver : running) {
      for (Controller controller : driver.controllers()) {
        clean &= controller.stop(clean ? grace : Duration.ZERO);
      }
      driver.driven().bridge().stop();
    }
    return clean;
  }

  @Override
  public boolean isIdle() {
    return running.stream().flatMap(d -> d.controllers().stream()).allMatch(Controller::isIdle);
  }

  @Override
  public List<QueueStats> queueStats() {
    return running.stream()
        .flatMap(d -> d.controllers().stream())
        .flatMap(c -> c.queueStats().stream())
        .toList();
  }
}
