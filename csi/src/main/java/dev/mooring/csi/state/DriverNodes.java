package dev.mooring.csi.state;

import dev.mooring.csi.decide.TopologyRules;
import dev.mooring.csi.decide.TopologyRules.DriverNode;
import dev.mooring.informer.CacheSnapshot;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.CsiNode;
import dev.mooring.model.Kind;
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
 * @param onlyNode the only node to consider, for an instance that serves one node
 */
public record DriverNodes(
    String driver, Informer<CsiNode> csiNodes, Informer<Node> nodes, Optional<String> onlyNode) {
  public DriverNodes(String driver, SharedInformers informers, Optional<String> onlyNode) {
    this(driver, informers.of(Kind.CSI_NODE), informers.of(Kind.NODE), onlyNode);
  }

  public boolean isSingleNode() {
    return onlyNode.isPresent();
  }

  private <T extends Resource> Iterable<T> select(CacheSnapshot<T> objects) {
    return onlyNode.isEmpty()
        ? objects.objects()
        : objects.get(ObjectKey.cluster(onlyNode.get())).stream().toList();
  }

  public Map<String, DriverNode> byName() {
    CacheSnapshot<Node> nodeSnapshot = nodes.snapshot();
    Map<String, DriverNode> driverNodes = new HashMap<>();
    for (CsiNode csiNode : select(csiNodes.snapshot())) {
      Optional<CsiNode.Driver> registration = findDriver(csiNode);
      Optional<Node> node = nodeSnapshot.get(csiNode.key());
      if (registration.isPresent() && node.isPresent()) {
        driverNodes.put(
            node.get().meta().name(),
            new DriverNode(registration.get().topologyKeys(), node.get().meta().labels()));
      }
    }
    return driverNodes;
  }

  public TopologyRules.ClusterNodes clusterNodes() {
    List<Map<String, String>> labels = new ArrayList<>();
    select(nodes.snapshot()).forEach(node -> labels.add(node.meta().labels()));
    return new TopologyRules.ClusterNodes(byName(), labels);
  }

  public boolean hasCsiNode(String node) {
    return csiNodes.get(ObjectKey.cluster(node)).isPresent();
  }

  public Optional<String> nodeId(String node) {
    return csiNodes
        .get(ObjectKey.cluster(node))
        .flatMap(this::findDriver)
        .map(CsiNode.Driver::nodeId);
  }

  private Optional<CsiNode.Driver> findDriver(CsiNode node) {
    return node.drivers().stream().filter(d -> d.name().equals(driver)).findFirst();
  }
}
