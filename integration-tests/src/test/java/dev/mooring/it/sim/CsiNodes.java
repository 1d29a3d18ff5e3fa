package dev.mooring.it.sim;

import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import java.util.List;

/**
 * Nodes of a {@link CsiWorkload}, each in its own zone.
 *
 * <p>Fault: a node is gone, and its zone has no storage for new volumes until the node is
 * registered again. Or the driver leaves a node. At most one node is concerned at a time. A node is
 * also replaced, and the driver registers another ID under its name.
 */
final class CsiNodes {
  private static final List<String> NAMES = List.of("n1", "n2", "n3");

  private final Simulation simulation;
  private final SimServer server;
  private String removed = ""; // node without the driver; "" if there is none
  private int ids = 2;
  private long removals;

  CsiNodes(Simulation simulation) {
    this.simulation = simulation;
    this.server = simulation.server();
  }

  void createAll() {
    NAMES.forEach(node -> create(node, "id-" + node));
  }

  private void create(String node, String id) {
    server.create(
        Kind.NODE,
        "",
        "{'metadata':{'name':'%s','labels':{'zone':'%s'}}}".formatted(node, zoneOf(node)));
    server.create(
        Kind.CSI_NODE,
        "",
        "{'metadata':{'name':'%s'},'spec':{'drivers':[%s]}}".formatted(node, driver(id)));
  }

  private static String zoneOf(String node) {
    return "z-" + node;
  }

  private static String driver(String id) {
    return "{'name':'d','nodeID':'" + id + "','topologyKeys':['zone']}";
  }

  private String nextId(String node) {
    return "id-" + node + "." + ids++;
  }

  /** Returns a random node with the driver. */
  String pick() {
    return simulation.pick(NAMES.stream().filter(node -> !node.equals(removed)).toList());
  }

  /** Returns whether the zone has a node. */
  boolean hasNode(String zone) {
    return NAMES.stream()
        .filter(node -> zoneOf(node).equals(zone))
        .anyMatch(node -> server.find(Kind.NODE, ObjectKey.cluster(node)) != null);
  }

  /** Returns whether a zone has no node. */
  boolean isAnyGone() {
    return !removed.isEmpty() && !hasNode(zoneOf(removed));
  }

  /** Returns the node without the driver; "" if there is none. */
  String removed() {
    return removed;
  }

  /** Fault: the node is replaced, and the driver registers another ID under its name. */
  void replace(String node) {
    String id = nextId(node);
    simulation.addToHistory("node: " + node + " has the driver ID " + id);
    server.change(
        Kind.CSI_NODE, ObjectKey.cluster(node), "{'spec':{'drivers':[" + driver(id) + "]}}");
  }

  /** Fault: the node is gone, or the driver leaves it. */
  void remove(String node) {
    removed = node;
    removals++;
    server.deleteNow(Kind.CSI_NODE, ObjectKey.cluster(node));
    if (simulation.random().nextBoolean()) {
      simulation.addToHistory("node: " + node + " is removed");
      server.deleteNow(Kind.NODE, ObjectKey.cluster(node));
    } else {
      simulation.addToHistory("node: the driver leaves " + node);
    }
  }

  /** Registers the removed node again, with another ID. */
  void register() {
    simulation.addToHistory("node: " + removed + " is registered again");
    create(removed, nextId(removed));
    removed = "";
  }

  /** Returns how many nodes were removed. */
  long removalCount() {
    return removals;
  }
}
