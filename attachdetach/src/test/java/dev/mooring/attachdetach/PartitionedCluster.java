package dev.mooring.attachdetach;

import dev.mooring.attachdetach.decide.OutOfServiceCheck;
import dev.mooring.cluster.Document;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.SimTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Machines with kubelets, and the parts of kube-controller-manager that react to them. One pod with
 * an exclusive volume runs on each machine at the start.
 *
 * <p>A machine that is cut off from the API server keeps writing. Only a plugin distinguishes it
 * from a machine that is off.
 */
final class PartitionedCluster {
  static final String OF_ADMINISTRATOR = "node.kubernetes.io/out-of-service=nodeshutdown:NoExecute";

  private static final long LEASE_SECONDS = 40;

  static final class Machine {
    final String name;
    boolean isOn = true;
    boolean isCutOff;
    int boots = 1;
    long renewedSeconds; // by the API server's clock
    final List<String> pods = new ArrayList<>(); // pods that run here, and write

    Machine(String name) {
      this.name = name;
    }

    String bootId() {
      return name + "-boot-" + boots;
    }

    boolean isWriting() {
      return isOn && !pods.isEmpty();
    }
  }

  final InMemoryCluster api;
  private final SimTime time;
  final Map<String, Machine> machines = new LinkedHashMap<>();
  final Map<String, String> places = new LinkedHashMap<>(); // node of each pod and its volume

  PartitionedCluster(InMemoryCluster api, SimTime time, int size) {
    this.api = api;
    this.time = time;
    for (int i = 0; i < size; i++) {
      Machine machine = new Machine("n" + i);
      machine.pods.add("p" + i);
      places.put("p" + i, machine.name);
      machines.put(machine.name, machine);
      createNode(machine);
    }
  }

  private static ObjectKey key(String node) {
    return ObjectKey.cluster(node);
  }

  private void createNode(Machine machine) {
    machine.renewedSeconds = seconds();
    api.create(Kind.NODE, key(machine.name), Document.empty());
    reportStatus(machine, "True");
  }

  long seconds() {
    return time.now().getEpochSecond();
  }

  Optional<Node> node(String name) {
    return api.read(Kind.NODE, key(name)).toOptional();
  }

  private void setReady(String node, String ready, Document status) {
    api.patchStatus(
        Kind.NODE,
        key(node),
        status.set(List.of(Map.of("type", "Ready", "status", ready)), "status", "conditions"));
  }

  private void reportStatus(Machine machine, String ready) {
    setReady(
        machine.name,
        ready,
        Document.empty().set(machine.bootId(), "status", "nodeInfo", "bootID"));
  }

  /** Lets the kubelet renew its Lease, report its status, and start and stop pods. */
  void runKubelet(Machine machine) {
    if (!machine.isOn || machine.isCutOff) {
      return;
    }
    if (node(machine.name).isEmpty()) {
      createNode(machine);
    }
    machine.renewedSeconds = seconds();
    if (!node(machine.name).orElseThrow().isReady()) {
      reportStatus(machine, "True");
    }
    machine.pods.clear();
    boolean evictsPods = node(machine.name).orElseThrow().isOutOfService();
    places.forEach((pod, place) -> {
      if (place.equals(machine.name) && !evictsPods) {
        machine.pods.add(pod);
      }
    });
  }

  void turnOff(Machine machine) {
    machine.isOn = false;
    machine.pods.clear();
  }

  /** Starts the machine. The administrator who tainted it removes the taint. */
  void turnOn(Machine machine) {
    if (!machine.isOn) {
      machine.isOn = true;
      machine.boots++;
      removeTaint(machine.name, OF_ADMINISTRATOR);
    }
  }

  private void removeTaint(String node, String taint) {
    node(node)
        .filter(n -> n.taints().contains(taint))
        .ifPresent(
            n -> setTaints(node, n.taints().stream().filter(t -> !t.equals(taint)).toList()));
  }

  /** Deletes the Node and, if the kubelet answers, creates one of the same name. */
  void recreateNode(Machine machine) {
    api.remove(Kind.NODE, key(machine.name));
    runKubelet(machine);
  }

  /** A kubelet whose container runtime fails reports that it is not ready, and keeps writing. */
  void reportNotReady(Machine machine) {
    if (machine.isOn && !machine.isCutOff && node(machine.name).isPresent()) {
      reportStatus(machine, "False");
    }
  }

  /** Adds or removes a taint as an administrator; keeps all others. */
  void setTaints(String node, List<String> taints) {
    List<Map<String, Object>> values = new ArrayList<>();
    for (String taint : taints) {
      String[] fields = taint.split("[=:]", 3);
      values.add(Map.of("key", fields[0], "value", fields[1], "effect", fields[2]));
    }
    api.patch(Kind.NODE, key(node), Document.empty().set(values, "spec", "taints"));
  }

  /** Marks silent nodes as kube-controller-manager's node lifecycle controller does. */
  void markSilentNodes() {
    for (Machine machine : machines.values()) {
      Optional<Node> node = node(machine.name);
      if (node.isPresent()
          && !"Unknown".equals(node.get().ready())
          && seconds() - machine.renewedSeconds > LEASE_SECONDS) {
        setReady(machine.name, "Unknown", Document.empty());
      }
    }
  }

  /** Deletes pods of nodes that are out of service, detaches their volumes, and starts them. */
  void moveVolumes() {
    for (Map.Entry<String, String> place : places.entrySet()) {
      Optional<Node> node = node(place.getValue());
      if (node.isPresent() && node.get().isOutOfService() && !node.get().isReady()) {
        findTarget().ifPresent(place::setValue);
      }
    }
  }

  Optional<String> findTarget() {
    return machines.keySet().stream()
        .filter(name -> node(name).filter(n -> n.isReady() && !n.isOutOfService()).isPresent())
        .findFirst();
  }

  /** Returns the pods that write on several machines. */
  List<String> findDoubleWriters() {
    return places.keySet().stream()
        .filter(pod ->
            machines.values().stream().filter(m -> m.isOn && m.pods.contains(pod)).count() > 1)
        .toList();
  }

  boolean hasOwnTaint(String node) {
    return node(node)
        .filter(n -> n.taints().contains(OutOfServiceCheck.TAINT + "=mooring:NoExecute"))
        .isPresent();
  }
}
