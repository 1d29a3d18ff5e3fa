package dev.mooring.it.sim;

import dev.mooring.it.sim.SimNodes.NodeVolume;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * Kubelets of a {@link AllControllersWorkload}. Each mounts the volumes of its pods when they are
 * attached, runs the pods, and unmounts the volumes afterwards.
 */
final class SimKubelets {
  private final Random random;
  private final SimServer server;
  private final SimStorage storage;
  private final SimNodes nodes;
  // volumes of pods, once they are all bound
  private final Map<Uid, Set<String>> admitted = new HashMap<>();
  private long mounts;

  SimKubelets(Simulation simulation, SimStorage storage, SimNodes nodes) {
    this.random = simulation.random();
    this.server = simulation.server();
    this.storage = storage;
    this.nodes = nodes;
  }

  long mounts() {
    return mounts;
  }

  /**
   * Returns the volumes of the pod's claims; empty if one of the claims is not bound or is being
   * deleted.
   */
  static Optional<Set<String>> volumes(SimServer server, Pod pod) {
    Set<String> names = new TreeSet<>();
    for (String name : pod.claims()) {
      Claim claim = server.find(Kind.CLAIM, ObjectKey.of(pod.key().namespace(), name));
      if (claim == null
          || claim.meta().isBeingDeleted()
          || claim.phase() != ClaimPhase.BOUND
          || (isEphemeral(pod, name) && !claim.meta().controller().equals(pod.meta().uid()))) {
        return Optional.empty();
      }
      Volume volume = server.find(Kind.VOLUME, ObjectKey.cluster(claim.volumeName()));
      if (volume == null
          || volume.claimRef() == null
          || !volume.claimRef().uid().equals(claim.meta().uid())) {
        return Optional.empty();
      }
      names.add(claim.volumeName());
    }
    return Optional.of(names);
  }

  private static boolean isEphemeral(Pod pod, String claim) {
    return pod.ephemeral().stream().anyMatch(volume -> pod.claimOf(volume).equals(claim));
  }

  private List<Pod> pods(String node) {
    return server.list(Kind.POD).stream().filter(pod -> pod.nodeName().equals(node)).toList();
  }

  private boolean uses(Pod pod) {
    return !pod.meta().isBeingDeleted() && !pod.isFinished() && admitted.containsKey(uid(pod));
  }

  private static Uid uid(Pod pod) {
    return pod.meta().uid();
  }

  /**
   * Lets a kubelet take one step. It reports a volume in use before it mounts it, and stops
   * reporting it after the unmount.
   *
   * @param ends whether pods may complete
   */
  void step(String name, boolean ends) {
    Node node = server.find(Kind.NODE, ObjectKey.cluster(name));
    if (nodes.isUnresponsive(name) || node == null) {
      return;
    }
    List<Pod> pods = pods(name);
    for (Pod pod : pods) {
      if (!pod.meta().isBeingDeleted() && !pod.isFinished() && !admitted.containsKey(uid(pod))) {
        volumes(server, pod).ifPresent(volumes -> admitted.put(uid(pod), volumes));
      }
    }
    Set<String> neededHandles = new TreeSet<>();
    pods.stream().filter(this::uses).forEach(pod -> neededHandles.addAll(admitted.get(uid(pod))));
    List<Runnable> steps = volumeSteps(node, neededHandles);
    for (Pod pod : pods) {
      podStep(pod, neededHandles, ends).ifPresent(steps::add);
    }
    if (!steps.isEmpty()) {
      steps.get(random.nextInt(steps.size())).run();
    }
  }

  private List<Runnable> volumeSteps(Node node, Set<String> neededHandles) {
    String name = node.meta().name();
    Set<String> inUse = new TreeSet<>(node.volumesInUse());
    Set<String> relevantHandles = new TreeSet<>(neededHandles);
    inUse.forEach(unique -> relevantHandles.add(SimStorage.handleOf(unique)));
    nodes.mounted().stream()
        .filter(at -> at.node().equals(name))
        .forEach(at -> relevantHandles.add(at.handle()));
    List<Runnable> steps = new ArrayList<>();
    for (String handle : relevantHandles) {
      NodeVolume nodeVolume = new NodeVolume(name, handle);
      String unique = SimStorage.uniqueName(handle);
      boolean isNeeded = neededHandles.contains(handle);
      boolean marked = inUse.contains(unique);
      boolean isMounted = nodes.mounted().contains(nodeVolume);
      if (isNeeded && !marked && !isMounted) {
        steps.add(() -> nodes.setInUse(name, inUse, handle, true));
      } else if (isNeeded && marked && !isMounted && node.volumesAttached().containsKey(unique)) {
        steps.add(() -> mount(nodeVolume));
      } else if (!isNeeded && isMounted) {
        steps.add(() -> nodes.unmount(nodeVolume));
      } else if (!isNeeded && marked) {
        steps.add(() -> nodes.setInUse(name, inUse, handle, false));
      }
    }
    return steps;
  }

  private void mount(NodeVolume nodeVolume) {
    if (storage.published().contains(nodeVolume)) {
      nodes.mount(nodeVolume);
      mounts++;
      storage.check();
    }
  }

  private boolean isMounted(Pod pod, String handle) {
    return nodes.mounted().contains(new NodeVolume(pod.nodeName(), handle));
  }

  private Optional<Runnable> podStep(Pod pod, Set<String> neededHandles, boolean ends) {
    Set<String> volumes = admitted.getOrDefault(uid(pod), Set.of());
    if (pod.meta().isBeingDeleted()) {
      boolean busy =
          volumes.stream().anyMatch(v -> isMounted(pod, v) && !neededHandles.contains(v));
      return busy ? Optional.empty() : Optional.of(() -> server.deleteNow(Kind.POD, pod.key()));
    }
    if (pod.phase() == Pod.Phase.RUNNING) {
      return ends && random.nextInt(100) < 3
          ? Optional.of(() -> status(pod, "Succeeded", "terminated"))
          : Optional.empty();
    }
    boolean isReady = uses(pod) && volumes.stream().allMatch(v -> isMounted(pod, v));
    return isReady ? Optional.of(() -> status(pod, "Running", "running")) : Optional.empty();
  }

  private void status(Pod pod, String phase, String state) {
    String container = state.equals("running") ? "{'running':{}}" : "{'terminated':{'exitCode':0}}";
    server.changeStatus(
        Kind.POD,
        pod.key(),
        "{'status':{'phase':'%s','containerStatuses':[{'name':'c','state':%s}]}}"
            .formatted(phase, container));
  }
}
