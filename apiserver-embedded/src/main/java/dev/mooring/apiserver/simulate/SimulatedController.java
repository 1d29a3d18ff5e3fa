package dev.mooring.apiserver.simulate;

import dev.mooring.apiserver.handle.ObjectHandlers;
import java.util.function.BiFunction;

/** A controller of Kubernetes that {@link ControllerSimulator} can run. */
public enum SimulatedController {
  /** Deletes the objects of a terminating namespace, and creates its service account "default". */
  NAMESPACES((handlers, namespace) -> new NamespaceSimulator(handlers)),
  /** Deletes or orphans the dependents of deleted owners. */
  GARBAGE_COLLECTION(GarbageCollector::new),
  /** Creates pods for ReplicaSets, and ReplicaSets for Deployments. */
  DEPLOYMENTS(DeploymentSimulator::new),
  /** Creates claims and pods for StatefulSets. */
  STATEFUL_SETS(StatefulSetSimulator::new),
  /** Creates a pod on each ready node for DaemonSets. */
  DAEMON_SETS(DaemonSetSimulator::new),
  /** Creates pods for Jobs and counts their ends. */
  JOBS(JobSimulator::new);

  private final BiFunction<ObjectHandlers, String, ControllerPass> factory;

  SimulatedController(BiFunction<ObjectHandlers, String, ControllerPass> factory) {
    this.factory = factory;
  }

  ControllerPass create(ObjectHandlers handlers, String namespace) {
    return factory.apply(handlers, namespace);
  }
}
