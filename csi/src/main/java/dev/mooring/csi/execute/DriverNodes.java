package dev.mooring.csi.execute;

import dev.mooring.csi.decide.TopologyRules;
import dev.mooring.csi.decide.TopologyRules.DriverNode;
import dev.mooring.informer.CacheSnapshot;
import dev.mooring.informer.Informer;
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
 * Nodes on which a driver runs. Thread-safe.
 *
 * @param only the only node to consider, for an instance that serves one node
 */
public record DriverNodes(Informer<CsiNode> csiNodes, Informer<Node> nodes, Optional<String> only) {
  boolean isSingleNode() {
    return only.isPresent();
  }

  private <T extends Resource> Iterable<T> considered(CacheSnapshot<T> all) {
    return only.isEmpty() ? all.all() : all.get(ObjectKey.cluster(only.get())).stream().toList();
  }

  public Map<String, DriverNode> of(String driver) {
    CacheSnapshot<Node> known = nodes.snapshot();
    Map<String, DriverNode> places = new HashMap<>();
    for (CsiNode csiNode : considered(csiNodes.snapshot())) {
      driverOn(csiNode, driver)
          .ifPresent(d ->
              known
                  .get(csiNode.key())
                  .ifPresent(node ->
                      places.put(
                          node.meta().name(),
                          new DriverNode(d.topologyKeys(), node.meta().labels()))));
    }
    return places;
  }

  TopologyRules.ClusterNodes nodes(String driver) {
    List<Map<String, String>> labels = new ArrayList<>();
    considered(nodes.snapshot()).forEach(node -> labels.add(node.meta().labels()));
    return new TopologyRules.ClusterNodes(of(driver), labels);
  }

  boolean hasCsiNode(String node) {
    return csiNodes.get(ObjectKey.cluster(node)).isPresent();
  }

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
