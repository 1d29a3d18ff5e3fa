package dev.mooring.it.sim;

import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * Nodes of a schedule, with the volumes that they have mounted.
 *
 * <p>Fault: a node stops responding, becomes not ready, is tainted out of service, is removed or
 * registered again, and comes back. A kubelet also hangs while it renews its Lease.
 */
final class SimNodes {
  static final int COUNT = 3;

  /** Time after which Kubernetes force-detaches volumes of a node that is not ready. */
  private static final Duration FORCED_DETACH_AFTER = Duration.ofMinutes(6);

  record NodeVolume(String node, String handle) {}

  private final Simulation simulation;
  private final Random random;
  private final SimServer server;
  private final boolean removesNodes;
  private final UnaryOperator<String> unique;
  private final NodeLeases leases;
  private final Set<NodeVolume> mounted = new HashSet<>(); // volumes that nodes really have mounted
  // volumes that the controller force-detached and reported in an event
  private final Set<NodeVolume> forced = new HashSet<>();
  private final Set<NodeVolume> falseReports =
      new HashSet<>(); // unused volumes that kubelets always report in use
  private final Set<String> deadNodes = new HashSet<>();
  private final Set<String> unmanaged = new HashSet<>();
  // nodes that are registered again, but have not reported volumes in use
  private final Set<String> silent = new HashSet<>();
  private final Map<String, Long> notReadySince = new HashMap<>(); // nanoseconds
  private final Map<String, Long> lastOutages = new HashMap<>(); // durations in nanoseconds
  private long mountChanges; // number of mounts and unmounts
  private Consumer<String> onRegistered = node -> {};
  private Consumer<String> onRemoved = node -> {};

  /**
   * Registers the nodes, all ready.
   *
   * @param removesNodes whether node objects are removed and registered again
   * @param unique returns the unique volume name in a node's status for a handle
   */
  SimNodes(Simulation simulation, boolean removesNodes, UnaryOperator<String> unique) {
    this.simulation = simulation;
    this.random = simulation.random();
    this.server = simulation.server();
    this.removesNodes = removesNodes;
    this.unique = unique;
    this.leases = new NodeLeases(simulation);
    for (int i = 0; i < COUNT; i++) {
      register("n" + i);
      setReady("n" + i, "True");
    }
  }

  /**
   * Sets callbacks that create and delete an object for each node, such as a CSINode.
   *
   * @param registering called with each present node, and with each that is registered later
   * @param removing called with each node that is removed
   */
  void setCallbacks(Consumer<String> registering, Consumer<String> removing) {
    onRegistered = registering;
    onRemoved = removing;
    for (int i = 0; i < COUNT; i++) {
      onRegistered.accept("n" + i);
    }
  }

  private void register(String node) {
    String annotations =
        isUnmanaged(node)
            ? ""
            : ",'annotations':{'volumes.kubernetes.io/controller-managed-attach-detach':'true'}";
    server.create(Kind.NODE, "", "{'metadata':{'name':'%s'%s}}".formatted(node, annotations));
    onRegistered.accept(node);
  }

  /** Fault: from now on the kubelet of the node creates its attachments itself. */
  void letKubeletAttach(String node) {
    unmanaged.add(node);
    server.change(Kind.NODE, ObjectKey.cluster(node), "{'metadata':{'annotations':null}}");
  }

  /** Returns whether the kubelet of the node creates its attachments itself. */
  boolean isUnmanaged(String node) {
    return unmanaged.contains(node);
  }

  /** Returns whether any kubelet creates its attachments itself. */
  boolean hasUnmanaged() {
    return !unmanaged.isEmpty();
  }

  private void setReady(String node, String status) {
    if (status.equals("True")) {
      if (notReadySince.containsKey(node)) {
        lastOutages.put(node, outage(node));
        notReadySince.remove(node);
      }
    } else {
      notReadySince.putIfAbsent(node, simulation.clock().now());
    }
    server.changeStatus(
        Kind.NODE,
        ObjectKey.cluster(node),
        "{'status':{'conditions':[{'type':'Ready','status':'" + status + "'}]}}");
  }

  private long outage(String node) {
    Long notReadyNanos = notReadySince.get(node);
    return notReadyNanos == null ? 0 : simulation.clock().now() - notReadyNanos;
  }

  /**
   * Returns whether the node was last not ready for so long that kube-controller-manager may have
   * force-detached its volumes, without an event.
   */
  boolean wasNotReadyForLong(String node) {
    return Math.max(outage(node), lastOutages.getOrDefault(node, 0L))
        >= FORCED_DETACH_AFTER.toNanos();
  }

  List<String> names() {
    return IntStream.range(0, COUNT).mapToObj(i -> "n" + i).toList();
  }

  String pick() {
    return "n" + random.nextInt(COUNT);
  }

  /** Returns whether the kubelet has stopped responding. */
  boolean isUnresponsive(String name) {
    return deadNodes.contains(name);
  }

  /**
   * Fault: moves the node one step: it stops responding, becomes not ready, is tainted out of
   * service, is removed or comes back.
   */
  void disturb(String name) {
    ObjectKey key = ObjectKey.cluster(name);
    if (!deadNodes.contains(name)) {
      if (removesNodes && random.nextBoolean()) {
        replace(name);
      } else if (random.nextInt(3) == 0) {
        hang(name);
      } else {
        stop(name);
      }
      return;
    }
    if (server.find(Kind.NODE, key) == null && random.nextInt(3) > 0) {
      revive(name); // its kubelet soon registers it again
      return;
    }
    switch (random.nextInt(removesNodes ? 4 : 3)) {
      case 3 -> remove(name);
      case 0 -> {
        simulation.addToHistory("node: " + name + " is not ready");
        setReady(name, "Unknown");
      }
      case 1 -> {
        simulation.addToHistory("node: " + name + " is off and tainted out of service");
        leases.stop(name);
        mounted.removeIf(at -> at.node().equals(name));
        setReady(name, "Unknown");
        server.change(
            Kind.NODE,
            key,
            "{'spec':{'taints':[{'key':'node.kubernetes.io/out-of-service','value':'x','effect':'NoExecute'}]}}");
      }
      default -> revive(name);
    }
  }

  private void stop(String name) {
    simulation.addToHistory("node: " + name + " stops responding");
    deadNodes.add(name);
    leases.stop(name);
  }

  /** Fault: the kubelet does no work and is not ready, but renews its Lease. */
  private void hang(String name) {
    simulation.addToHistory("node: " + name + " hangs");
    deadNodes.add(name);
    setReady(name, "False");
  }

  /** Fault: a node that responds becomes not ready, since it stops responding or hangs. */
  void fail(String name) {
    if (random.nextBoolean()) {
      hang(name);
    } else {
      stop(name);
      setReady(name, "Unknown");
    }
  }

  private void remove(String name) {
    simulation.addToHistory("node: " + name + " is removed");
    falseReports.removeIf(at -> at.node().equals(name));
    server.deleteNow(Kind.NODE, ObjectKey.cluster(name));
    onRemoved.accept(name);
  }

  /**
   * Fault: the node object is deleted and registered again while its volumes stay mounted. The
   * kubelet reports volumes in use only later.
   */
  private void replace(String name) {
    remove(name);
    deadNodes.add(name);
    registerAgain(name);
  }

  private void registerAgain(String name) {
    simulation.addToHistory("node: " + name + " is registered again");
    register(name);
    silent.add(name);
  }

  void reviveAll() {
    for (int i = 0; i < COUNT; i++) {
      revive("n" + i);
    }
  }

  /** Lets a kubelet come back. It first unmounts the volumes that were force-detached. */
  private void revive(String name) {
    if (server.find(Kind.NODE, ObjectKey.cluster(name)) == null) {
      registerAgain(name);
      if (!simulation.areFaultsOver()) {
        return; // the kubelet reports volumes in use only later
      }
    }
    simulation.addToHistory("node: " + name + " is back");
    deadNodes.remove(name);
    leases.start(name);
    mounted.removeIf(at -> at.node().equals(name) && forced.contains(at));
    forced.removeIf(at -> at.node().equals(name));
    if (silent.remove(name)) {
      Set<String> inUse = new TreeSet<>();
      mounted.stream()
          .filter(at -> at.node().equals(name))
          .forEach(at -> inUse.add(unique.apply(at.handle())));
      reportInUse(name, inUse);
    }
    server.change(Kind.NODE, ObjectKey.cluster(name), "{'spec':{'taints':null}}");
    setReady(name, "True");
  }

  /** Fault: from now on the kubelet reports a volume in use that it does not use. */
  void reportFalsely(NodeVolume nodeVolume) {
    Node node = server.find(Kind.NODE, ObjectKey.cluster(nodeVolume.node()));
    if (node != null
        && !deadNodes.contains(nodeVolume.node())
        && !mounted.contains(nodeVolume)
        && falseReports.add(nodeVolume)) {
      reportInUse(nodeVolume.node(), new TreeSet<>(node.volumesInUse()));
    }
  }

  /** Returns whether the kubelet reports the volume in use even if it does not use it. */
  boolean isFalselyReported(NodeVolume nodeVolume) {
    return falseReports.contains(nodeVolume);
  }

  /** Writes the unique names of used volumes into the node's status, as a kubelet does. */
  void reportInUse(String node, Set<String> used) {
    Set<String> inUse = new TreeSet<>(used);
    falseReports.stream()
        .filter(at -> at.node().equals(node))
        .forEach(at -> inUse.add(unique.apply(at.handle())));
    simulation.addToHistory("kubelet: " + node + " uses " + inUse);
    server.changeStatus(
        Kind.NODE,
        ObjectKey.cluster(node),
        "{'status':{'volumesInUse':"
            + (inUse.isEmpty() ? "null" : "['" + String.join("','", inUse) + "']")
            + "}}");
  }

  NodeLeases leases() {
    return leases;
  }

  /** Adds a volume to the given volumes in use or removes it, and reports them. */
  void setInUse(String node, Set<String> inUse, String handle, boolean used) {
    if (used) {
      inUse.add(unique.apply(handle));
    } else {
      inUse.remove(unique.apply(handle));
    }
    reportInUse(node, inUse);
  }

  /** Mounts the volume. From now on the node may write to it. */
  void mount(NodeVolume nodeVolume) {
    simulation.addToHistory("kubelet: mounts " + nodeVolume);
    mounted.add(nodeVolume);
    forced.remove(nodeVolume); // it was attached again
    mountChanges++;
  }

  void unmount(NodeVolume nodeVolume) {
    simulation.addToHistory("kubelet: unmounts " + nodeVolume);
    mounted.remove(nodeVolume);
    mountChanges++;
  }

  /** Returns a number that grows with every mount, unmount and write of an object. */
  long changeCount() {
    return mountChanges + server.store(Kind.NODE).version();
  }

  /** Returns the volumes that nodes really have mounted. */
  Set<NodeVolume> mounted() {
    return mounted;
  }

  /** Records that the controller force-detached the volume and emitted an event. */
  void recordForceDetach(NodeVolume nodeVolume) {
    forced.add(nodeVolume);
  }

  /** Returns the force-detached volumes whose node has neither come back nor mounted them again. */
  Set<NodeVolume> forceDetached() {
    return forced;
  }
}
