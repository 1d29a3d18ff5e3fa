package dev.mooring.it.sim;

import static dev.mooring.it.sim.FaultMode.FAULTY;
import static dev.mooring.it.sim.FaultMode.GIVEN_UP;
import static dev.mooring.it.sim.FaultMode.KUBERNETES;
import static dev.mooring.it.sim.FaultMode.LATE;
import static dev.mooring.it.sim.FaultMode.LATE_AND_REMOVED;
import static dev.mooring.it.sim.FaultMode.NORMAL;
import static dev.mooring.it.sim.FaultMode.OUTAGES;
import static dev.mooring.it.sim.FaultMode.TAKEOVERS;
import static dev.mooring.it.sim.FaultMode.WIDE;

import java.util.Map;
import java.util.function.Function;

/** Available workloads, and the number of schedules that each plays in each mode. */
enum WorkloadType {
  /** The binder with an in-process plugin: claims and volumes. */
  BINDER(
      BinderWorkload::new,
      Map.of(
          NORMAL, 1.0,
          WIDE, 0.25,
          FAULTY, 0.125,
          TAKEOVERS, 0.5,
          OUTAGES, 0.125,
          LATE, 0.5,
          GIVEN_UP, 0.25,
          KUBERNETES, 0.125)),

  /**
   * The attach/detach controller beside the external attacher of a CSI driver: pods, nodes and
   * attachments.
   */
  ATTACH(
      AttachWorkload::new,
      Map.of(
          NORMAL, 1.0,
          WIDE, 0.25,
          FAULTY, 0.125,
          TAKEOVERS, 0.5,
          OUTAGES, 0.125,
          LATE, 0.5,
          LATE_AND_REMOVED, 0.25,
          GIVEN_UP, 0.25,
          KUBERNETES, 0.125)),

  /** The CSI controllers (provisioner, resizer, snapshotter) with an unreliable driver. */
  CSI(
      CsiWorkload::new,
      Map.of(
          NORMAL, 0.3,
          WIDE, 0.17,
          FAULTY, 0.05,
          TAKEOVERS, 0.05,
          LATE, 0.05,
          GIVEN_UP, 0.05,
          KUBERNETES, 0.05)),

  /** All controllers with an in-process plugin. */
  WHOLE(
      simulation -> new AllControllersWorkload(simulation, false),
      Map.of(
          NORMAL, 0.5,
          FAULTY, 0.125,
          TAKEOVERS, 0.125,
          OUTAGES, 0.125,
          LATE, 0.125,
          GIVEN_UP, 0.125,
          KUBERNETES, 0.25)),

  /**
   * All controllers with an in-process plugin and a CSI driver. The sidecars' controllers and those
   * of kube-controller-manager share claims, volumes and attachments.
   */
  DRIVEN(
      simulation -> new AllControllersWorkload(simulation, true),
      Map.of(
          NORMAL, 0.1,
          WIDE, 0.1,
          FAULTY, 0.1,
          TAKEOVERS, 0.1,
          OUTAGES, 0.03,
          LATE, 0.1,
          GIVEN_UP, 0.1,
          KUBERNETES, 0.1));

  private final Function<Simulation, Workload> factory;
  private final Map<FaultMode, Double> shares;

  WorkloadType(Function<Simulation, Workload> factory, Map<FaultMode, Double> shares) {
    this.factory = factory;
    this.shares = shares;
  }

  /** Creates the workload of a new simulation. */
  Workload create(Simulation simulation) {
    return factory.apply(simulation);
  }

  /**
   * Returns the modes of the workload. Each value is the share of the requested schedules that runs
   * in that mode.
   */
  Map<FaultMode, Double> shares() {
    return shares;
  }
}
