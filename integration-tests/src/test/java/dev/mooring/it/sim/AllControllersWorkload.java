package dev.mooring.it.sim;

import static dev.mooring.it.sim.FinalState.verify;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.WriteResult;
import dev.mooring.it.sim.SimNodes.NodeVolume;
import dev.mooring.manager.lifecycle.KnownController;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Resource;
import dev.mooring.model.Volume;
import dev.mooring.protection.decide.UnusedDecider;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Workload: all controllers with an in-process plugin, and optionally a CSI driver. Users create,
 * expand and delete claims, which pods use on nodes that fail.
 *
 * <p>Invariant, at every write: a claim keeps its finalizer while a pod uses it, and a volume while
 * a claim is bound to it. The condition Unused changes its time only with its status.
 *
 * <p>Invariant, at every deletion: {@link DeletionChecks}, and no claim is bound to the volume.
 *
 * <p>Invariant at the end: {@link AllControllersFinalState}, once when nothing changes any longer,
 * and again after users have deleted everything.
 */
final class AllControllersWorkload implements Workload {
  private static final Pace PLAIN = new Pace(2_000, 2_350, 50, 2);

  /** Fewer crashes, so that a process identifies the driver before the next one. */
  private static final Pace WITH_DRIVER = new Pace(2_000, 2_350, 12, 2);

  private static final List<KnownController> CONTROLLERS =
      List.of(
          KnownController.BINDER,
          KnownController.CLAIM_PROTECTION,
          KnownController.VOLUME_PROTECTION,
          KnownController.ATTRIBUTES_CLASS_PROTECTION,
          KnownController.EPHEMERAL_VOLUMES,
          KnownController.ATTACH_DETACH,
          KnownController.EXPANDER);

  private static final int ACT_CHANCES = 235;
  private static final int OUTAGE_ACTS = 5;
  private static final String CLAIM_FINALIZER = "kubernetes.io/pvc-protection";
  private static final String VOLUME_FINALIZER = "kubernetes.io/pv-protection";

  private final Simulation simulation;
  private final SimServer server;
  private final SimStorage storage;
  private final DeletionChecks deletions;
  private final SimNodes nodes;
  private final SimKubelets kubelets;
  private final SimUsers users;
  private final boolean withDriver; // whether there is a CSI driver
  private final boolean listsPublications; // whether it lists where its volumes are published

  /**
   * Creates the workload.
   *
   * @param withDriver whether a CSI driver also provisions, expands and attaches volumes
   */
  AllControllersWorkload(Simulation simulation, boolean withDriver) {
    this.simulation = simulation;
    this.withDriver = withDriver;
    server = simulation.server();
    storage = new SimStorage(simulation, this::checkDestroying);
    deletions = new DeletionChecks(simulation);
    // no object records what a plugin had attached to a removed node: docs/dev/invariants.md
    boolean removed = withDriver && simulation.mode() == FaultMode.WIDE;
    nodes = new SimNodes(simulation, removed, SimStorage::uniqueName);
    storage.setNodes(nodes);
    kubelets = new SimKubelets(simulation, storage, nodes);
    listsPublications = withDriver && simulation.random().nextBoolean();
    if (withDriver) {
      SimCsiDriver.install(server, nodes);
    }
    users = new SimUsers(simulation, nodes, SimUsers.Provisioners.of(withDriver, removed));
  }

  @Override
  public Pace pace() {
    return withDriver ? WITH_DRIVER : PLAIN;
  }

  @Override
  public SimProcess.Program program(Object process) {
    return new SimProcess.Program(
        CONTROLLERS.stream().map(KnownController::module).toList(),
        storage.pluginsFor(process),
        withDriver
            ? Optional.of(
                new SimCsiDriver(simulation, storage, process, listsPublications).asDriver())
            : Optional.empty());
  }

  @Override
  public void act() {
    int draw = simulation.random().nextInt(ACT_CHANCES);
    if (draw < 90) {
      kubelets.step(nodes.pick(), true);
    } else if (draw < 145) {
      users.schedule();
    } else if (draw < 165) {
      users.collectGarbage();
    } else if (draw < 225) {
      users.act();
    } else {
      nodes.disturb(nodes.pick());
    }
  }

  @Override
  public void actInOutage() {
    for (int i = 0; i < OUTAGE_ACTS; i++) {
      users.act();
    }
  }

  @Override
  public boolean finishOtherWork() {
    long changesBefore = nodes.changeCount();
    nodes.names().forEach(node -> kubelets.step(node, false));
    users.scheduleAll();
    users.collectGarbage();
    return nodes.changeCount() != changesBefore;
  }

  @Override
  public void check() {
    storage.check();
  }

  @Override
  public void onFaultsEnd() {
    nodes.reviveAll();
  }

  @Override
  public void onEvent(ClusterEvent event) {
    if (!event.reason().equals("VolumeForceDetached")) {
      return;
    }
    for (NodeVolume nodeVolume : Set.copyOf(nodes.mounted())) {
      if (nodeVolume.node().equals(event.subject().name())
          && event.note().contains(SimStorage.uniqueName(nodeVolume.handle()) + " ")) {
        nodes.recordForceDetach(nodeVolume);
      }
    }
  }

  @Override
  public <T extends Resource> void onWrite(T previous, WriteResult<T> result) {
    deletions.onWrite(previous, result);
    T current = result instanceof WriteResult.Written<T>(T writtenObject) ? writtenObject : null;
    if (current == null && (previous == null || !(result instanceof WriteResult.Gone<T>))) {
      return;
    }
    if (previous instanceof Claim claim && current instanceof Claim written) {
      checkTransition(claim, written);
    }
    if (isFinalizerRemoved(previous, current, CLAIM_FINALIZER)) {
      checkClaimUnused(previous.key());
    }
    if (previous instanceof Volume volume
        && isFinalizerRemoved(previous, current, VOLUME_FINALIZER)) {
      checkVolumeUnbound(volume);
    }
  }

  /** Invariant: the condition Unused changes its time only with its status. */
  private static void checkTransition(Claim previous, Claim current) {
    for (Claim.Condition condition : current.status().conditions()) {
      verify(
          !condition.type().equals(UnusedDecider.TYPE)
              || previous.status().conditions().stream()
                  .noneMatch(earlier ->
                      earlier.type().equals(condition.type())
                          && earlier.status().equals(condition.status())
                          && earlier.changed() != condition.changed()),
          current + " changes the time of " + condition + " without its status");
    }
  }

  private static boolean isFinalizerRemoved(Resource previous, Resource current, String finalizer) {
    return previous != null
        && previous.meta().finalizers().contains(finalizer)
        && (current == null || !current.meta().finalizers().contains(finalizer));
  }

  /** Invariant: a claim keeps its finalizer while a pod on a node may use it. */
  private void checkClaimUnused(ObjectKey claim) {
    for (Pod pod : server.list(Kind.POD)) {
      verify(
          pod.nodeName().isEmpty() || pod.isTerminated() || !pod.claims().contains(claim.name()),
          claim + " loses its finalizer although it is used by " + pod);
    }
  }

  /** Invariant: a volume keeps its finalizer while a claim is bound to it. */
  private void checkVolumeUnbound(Volume volume) {
    for (Claim claim : server.list(Kind.CLAIM)) {
      ClaimRef ref = volume.claimRef();
      verify(
          claim.phase() != ClaimPhase.BOUND
              || !claim.volumeName().equals(volume.meta().name())
              || ref == null
              || !ref.uid().equals(claim.meta().uid()),
          volume.key() + " loses its finalizer although it is bound to " + claim);
    }
  }

  /** Invariant: storage is destroyed only if its claim is gone or has another volume. */
  private void checkDestroying(String name) {
    SimStorage.StoredVolume item = storage.volumes().get(name);
    if (item != null) {
      deletions.onDestroy(server.find(Kind.VOLUME, ObjectKey.cluster(name)));
    }
    Claim claim = item == null ? null : server.find(Kind.CLAIM, item.claim);
    verify(
        claim == null
            || !claim.meta().uid().equals(item.claimUid)
            || !claim.volumeName().equals(name),
        name + " is destroyed although it is bound to " + claim);
  }

  @Override
  public void finish() {
    AllControllersFinalState finalState = new AllControllersFinalState(simulation, storage, nodes);
    simulation.endFaults();
    simulation.awaitRest();
    finalState.check();
    users.deletePods();
    simulation.settle(pace().chain() * SchedulePlayer.RECOVERY_NANOS);
    finalState.checkWithoutPods();
    users.deleteAll();
    simulation.awaitRest();
    finalState.checkNothingLeft();
  }

  @Override
  public Map<String, Long> occurrences() {
    return Map.of(
        "mounts", kubelets.mounts(),
        "growths", storage.expansionCount(),
        "rejected expansions of used volumes", storage.rejectionCount(),
        "volumes published by the driver", storage.driverPublishCount(),
        "slow calls of the driver", storage.slowCallCount());
  }

  @Override
  public Map<String, Double> minimumOccurrences() {
    if (withDriver) {
      return Map.of(
          "volumes published by the driver", 1.0,
          "slow calls of the driver", 0.25,
          "rejected expansions of used volumes", simulation.mode() == FaultMode.WIDE ? 0.1 : 0.0);
    }
    // kube-controller-manager does not expand volumes of in-tree plugins
    return simulation.compat().isKubernetes()
        ? Map.of("mounts", 0.5)
        : Map.of("mounts", 0.5, "growths", 0.1);
  }
}
