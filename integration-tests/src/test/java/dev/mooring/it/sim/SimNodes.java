package dev.mooring.it.sim;

import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * The machines of a schedule: they die, are given up and come back, and know what they write to.
 */
final class SimNodes {
  static final int COUNT = 3;

  /** A volume on a node. */
  record At(String node, String handle) {}

  private final Simulation simulation;
  private final Random random;
  private final SimServer server;
  private final boolean removed;
  private final UnaryOperator<String> unique;
  private final Set<At> mounted = new HashSet<>(); // what nodes write to
  private final Set<At> forced = new HashSet<>(); // what was taken by force on record
  private final Set<At> lies = new HashSet<>(); // what kubelets report in use all the time
  private final Set<String> dead = new HashSet<>();
  private final Set<String> unmanaged = new HashSet<>();
  private final Set<String> silent = new HashSet<>(); // registered again, and nothing said yet
  private long moved; // mounts, and ends of mounts
  private Consumer<String> comes = node -> {};
  private Consumer<String> goes = node -> {};

  /**
   * All of them are well.
   *
   * @param removed whether nodes that are dead are removed as well
   * @param unique a volume's name in the status of nodes, for its handle
   */
  SimNodes(Simulation simulation, boolean removed, UnaryOperator<String> unique) {
    this.simulation = simulation;
    this.random = simulation.random();
    this.server = simulation.server();
    this.removed = removed;
    this.unique = unique;
    for (int i = 0; i < COUNT; i++) {
      register("n" + i);
      ready("n" + i, "True");
    }
  }

  /**
   * From now on something comes and goes with each of them.
   *
   * @param coming called with each that is there, or is registered later
   * @param going called with each that is removed
   */
  void with(Consumer<String> coming, Consumer<String> going) {
    comes = coming;
    goes = going;
    for (int i = 0; i < COUNT; i++) {
      comes.accept("n" + i);
    }
  }

  private void register(String node) {
    String annotations =
        isUnmanaged(node)
            ? ""
            : ",'annotations':{'volumes.kubernetes.io/controller-managed-attach-detach':'true'}";
    server.create(Kind.NODE, "", "{'metadata':{'name':'%s'%s}}".formatted(node, annotations));
    comes.accept(node);
  }

  /** The kubelet of the node attaches its volumes itself from now on. */
  void leaveToKubelet(String node) {
    unmanaged.add(node);
    server.change(Kind.NODE, ObjectKey.cluster(node), "{'metadata':{'annotations':null}}");
  }

  /** Whether the kubelet of the node attaches its volumes itself. */
  boolean isUnmanaged(String node) {
    return unmanaged.contains(node);
  }

  /** Whether a kubelet attaches volumes. */
  boolean anyUnmanaged() {
    return !unmanaged.isEmpty();
  }

  private void ready(String node, String status) {
    server.changeStatus(
        Kind.NODE,
        ObjectKey.cluster(node),
        "{'status':{'conditions':[{'type':'Ready','status':'" + status + "'}]}}");
  }

  /** All of them. */
  List<String> all() {
    return IntStream.range(0, COUNT).mapToObj(i -> "n" + i).toList();
  }

  /** One of them. */
  String any() {
    return "n" + random.nextInt(COUNT);
  }

  /** Whether it does not answer any more. */
  boolean isDead(String name) {
    return dead.contains(name);
  }

  /** A node dies, is given up by the lifecycle controller, is declared dead, or comes back. */
  void happen(String name) {
    ObjectKey key = ObjectKey.cluster(name);
    if (!dead.contains(name)) {
      if (removed && random.nextBoolean()) {
        replace(name);
        return;
      }
      simulation.note("node: " + name + " does not answer any more");
      dead.add(name);
      return;
    }
    if (server.find(Kind.NODE, key) == null && random.nextInt(3) > 0) {
      revive(name); // its kubelet registers it soon
      return;
    }
    switch (random.nextInt(removed ? 4 : 3)) {
      case 3 -> remove(name);
      case 0 -> {
        simulation.note("node: " + name + " is not ready");
        ready(name, "Unknown");
      }
      case 1 -> {
        simulation.note("node: " + name + " is off, and declared out of service");
        mounted.removeIf(at -> at.node().equals(name));
        ready(name, "Unknown");
        server.change(
            Kind.NODE,
            key,
            "{'spec':{'taints':[{'key':'node.kubernetes.io/out-of-service','value':'x','effect':'NoExecute'}]}}");
      }
      default -> revive(name);
    }
  }

  private void remove(String name) {
    simulation.note("node: " + name + " is removed");
    lies.removeIf(at -> at.node().equals(name));
    server.deleteNow(Kind.NODE, ObjectKey.cluster(name));
    goes.accept(name);
  }

  /** Its machine goes on, and its kubelet says only later what it uses. */
  private void replace(String name) {
    remove(name);
    dead.add(name);
    registerAgain(name);
  }

  private void registerAgain(String name) {
    simulation.note("node: " + name + " is registered again");
    register(name);
    silent.add(name);
  }

  /** All of them are well again. */
  void reviveAll() {
    for (int i = 0; i < COUNT; i++) {
      revive("n" + i);
    }
  }

  /** A kubelet that comes back finds out what it has lost before it goes on. */
  private void revive(String name) {
    if (server.find(Kind.NODE, ObjectKey.cluster(name)) == null) {
      registerAgain(name);
      if (!simulation.isCalm()) {
        return; // it says later what it uses
      }
    }
    simulation.note("node: " + name + " is back");
    dead.remove(name);
    mounted.removeIf(at -> at.node().equals(name) && forced.contains(at));
    forced.removeIf(at -> at.node().equals(name));
    if (silent.remove(name)) {
      Set<String> inUse = new TreeSet<>();
      mounted.stream()
          .filter(at -> at.node().equals(name))
          .forEach(at -> inUse.add(unique.apply(at.handle())));
      report(name, inUse);
    }
    server.change(Kind.NODE, ObjectKey.cluster(name), "{'spec':{'taints':null}}");
    ready(name, "True");
  }

  /** The kubelet of the node reports a volume in use from now on that it does not use. */
  void lie(At at) {
    Node node = server.find(Kind.NODE, ObjectKey.cluster(at.node()));
    if (node != null && !dead.contains(at.node()) && !mounted.contains(at) && lies.add(at)) {
      report(at.node(), new TreeSet<>(node.volumesInUse()));
    }
  }

  /** Whether the kubelet of the node reports the volume in use whether or not it uses it. */
  boolean isLie(At at) {
    return lies.contains(at);
  }

  /** A kubelet says that it uses these, by their unique names. */
  void report(String node, Set<String> used) {
    Set<String> inUse = new TreeSet<>(used);
    lies.stream()
        .filter(at -> at.node().equals(node))
        .forEach(at -> inUse.add(unique.apply(at.handle())));
    simulation.note("kubelet: " + node + " uses " + inUse);
    server.changeStatus(
        Kind.NODE,
        ObjectKey.cluster(node),
        "{'status':{'volumesInUse':"
            + (inUse.isEmpty() ? "null" : "['" + String.join("','", inUse) + "']")
            + "}}");
  }

  /** Marks it in use, or not, besides those. */
  void mark(String node, Set<String> inUse, String handle, boolean used) {
    if (used) {
      inUse.add(unique.apply(handle));
    } else {
      inUse.remove(unique.apply(handle));
    }
    report(node, inUse);
  }

  /** The node writes to it from now on. */
  void mount(At at) {
    simulation.note("kubelet: mounts " + at);
    mounted.add(at);
    forced.remove(at); // it was attached again since
    moved++;
  }

  /** The node does not write to it any more. */
  void unmount(At at) {
    simulation.note("kubelet: unmounts " + at);
    mounted.remove(at);
    moved++;
  }

  /** How much has happened, here or on the server. */
  long changes() {
    return moved + server.store(Kind.NODE).version();
  }

  /** What nodes write to. */
  Set<At> mounted() {
    return mounted;
  }

  /** The controller has taken it by force, and says so. */
  void takenByForce(At at) {
    forced.add(at);
  }

  /** What was taken by force on record, and not given back since. */
  Set<At> forced() {
    return forced;
  }
}
