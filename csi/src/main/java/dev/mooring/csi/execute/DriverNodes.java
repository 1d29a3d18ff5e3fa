package dev.mooring.csi.execute;

import dev.mooring.csi.decide.Topologies;
import dev.mooring.csi.decide.Topologies.Place;
import dev.mooring.informer.Informer;
import dev.mooring.informer.Snapshot;
import dev.mooring.model.CsiNode;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The nodes on which a driver runs. Thread-safe.
 *
 * @param only the one node that matters, where each has an instance of its own
 */
public record DriverNodes(Informer<CsiNode> csiNodes, Informer<Node> nodes, Optional<String> only) {
  /** Whether there is one node that matters. */
  boolean isOfOne() {
    return only.isPresent();
  }

  private <T extends Resource> Iterable<T> mattering(Snapshot<T> all) {
    return only.isEmpty() ? all.all() : all.get(ObjectKey.cluster(only.get())).stream().toList();
  }

  /** By the nodes' names. */
  public Map<String, Place> of(String driver) {
    Snapshot<Node> known = nodes.snapshot();
    Map<String, Place> places = new HashMap<>();
    for (CsiNode csiNode : mattering(csiNodes.snapshot())) {
      driverOn(csiNode, driver)
          .ifPresent(d ->
              known
                  .get(csiNode.key())
                  .ifPresent(node ->
                      places.put(
                          node.meta().name(), new Place(d.topologyKeys(), node.meta().labels()))));
    }
    return places;
  }

  /** The same, and the labels of all nodes there are. */
  Topologies.Nodes nodes(String driver) {
    List<Map<String, String>> labels = new ArrayList<>();
    mattering(nodes.snapshot()).forEach(node -> labels.add(node.meta().labels()));
    return new Topologies.Nodes(of(driver), labels);
  }

  /** Whether anything is known of the drivers on the node. */
  boolean knows(String node) {
    return csiNodes.get(ObjectKey.cluster(node)).isPresent();
  }

  /** The node's id in the driver's terms. */
  Optional<String> nodeId(String node, String driver) {
    return csiNodes
        .get(ObjectKey.cluster(node))
        .flatMap(n -> driverOn(n, driver))
        .map(CsiNode.Driver::nodeId);
  }

  private static Optional<CsiNode.Driver> driverOn(CsiNode node, String driver) {
    return node.drivers().stream().filter(d -> d.name().equals(driver)).findFirst();
  }
}
