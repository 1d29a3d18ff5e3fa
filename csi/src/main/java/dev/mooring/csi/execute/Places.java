package dev.mooring.csi.execute;

import dev.mooring.csi.decide.Topologies;
import dev.mooring.csi.decide.Topologies.Place;
import dev.mooring.informer.Informer;
import dev.mooring.informer.Snapshot;
import dev.mooring.model.CsiNode;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The nodes on which a driver runs. Thread-safe. */
public final class Places {
  private final Informer<CsiNode> csiNodes;
  private final Informer<Node> nodes;

  /** By what these know. */
  public Places(Informer<CsiNode> csiNodes, Informer<Node> nodes) {
    this.csiNodes = csiNodes;
    this.nodes = nodes;
  }

  /** By the nodes' names. */
  public Map<String, Place> of(String driver) {
    Snapshot<Node> known = nodes.snapshot();
    Map<String, Place> places = new HashMap<>();
    for (CsiNode csiNode : csiNodes.snapshot().all()) {
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
    nodes.snapshot().all().forEach(node -> labels.add(node.meta().labels()));
    return new Topologies.Nodes(of(driver), labels);
  }

  /** Whether anything is known of the drivers on the node. */
  boolean knows(String node) {
    return csiNodes.snapshot().get(ObjectKey.cluster(node)).isPresent();
  }

  /** The node's id in the driver's terms. */
  Optional<String> nodeId(String node, String driver) {
    return csiNodes
        .snapshot()
        .get(ObjectKey.cluster(node))
        .flatMap(n -> driverOn(n, driver))
        .map(CsiNode.Driver::nodeId);
  }

  private static Optional<CsiNode.Driver> driverOn(CsiNode node, String driver) {
    return node.drivers().stream().filter(d -> d.name().equals(driver)).findFirst();
  }
}
