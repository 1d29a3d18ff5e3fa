package dev.mooring.junit;

import dev.mooring.apiserver.simulate.SimulatedController;
import java.util.Optional;

/** A controller that runs beside the API server. All but {@link #VOLUMES} are simulations. */
public enum ClusterController {
  /**
   * The volume controllers of Mooring: binding, provisioning by plugins, attaching, growth and
   * protection. They need {@code mooring-controller-manager} on the class path.
   */
  VOLUMES(Optional.empty()),
  /** Deletes or orphans the dependents of deleted owners. */
  GARBAGE_COLLECTION(Optional.of(SimulatedController.GARBAGE_COLLECTION)),
  /** Deletes the objects of terminating namespaces, and creates default service accounts. */
  NAMESPACES(Optional.of(SimulatedController.NAMESPACES)),
  /** Creates ReplicaSets for Deployments, and pods for ReplicaSets. */
  DEPLOYMENTS(Optional.of(SimulatedController.DEPLOYMENTS)),
  /** Creates claims and pods for StatefulSets. */
  STATEFUL_SETS(Optional.of(SimulatedController.STATEFUL_SETS)),
  /** Creates a pod on each ready node for DaemonSets. */
  DAEMON_SETS(Optional.of(SimulatedController.DAEMON_SETS)),
  /** Creates pods for Jobs and counts their ends. */
  JOBS(Optional.of(SimulatedController.JOBS));

  private final Optional<SimulatedController> simulation;

  ClusterController(Optional<SimulatedController> simulation) {
    this.simulation = simulation;
  }

  Optional<SimulatedController> simulation() {
    return simulation;
  }

  boolean isLimitedToNamespace() {
    return this != VOLUMES && this != NAMESPACES;
  }
}
