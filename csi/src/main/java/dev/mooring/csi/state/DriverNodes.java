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
 * @param only the only node to consider, for an instance that serves one node
 */
public record DriverNodes(
    String driver, Informer<CsiNode> csiNodes, Informer<Node> nodes, Optional<String> only) {
  public DriverNodes(String driver, SharedInformers informers, Optional<String> only) {
    this(driver, informers.of(Kind.CSI_NODE), informers.of(Kind.NODE), only);
  }

  public boolean isSingleNode() {
    return only.isPresent();
  }

  private <T extends Resource> Iterable<T> considered(CacheSnapshot<T> all) {
    return only.isEmpty() ? all.all() : all.get(ObjectKey.cluster(only.get())).stream().toList();
  }

  public Map<String, DriverNode> byName() {
    CacheSnapshot<Node> known = nodes.snapshot();
    Map<String, DriverNode> places = new HashMap<>();
    for (CsiNode csiNode : considered(csiNodes.snapshot())) {
      Optional<CsiNode.Driver> here = driverOn(csiNode);
      Optional<Node> node = known.get(csiNode.key());
      if (here.isPresent() && node.isPresent()) {
        places.put(
            node.get().meta().name(),
            new DriverNode(here.get().topologyKeys(), node.get().meta().labels()));
      }
    }
    return places;
  }

  public TopologyRules.ClusterNodes clusterNodes() {
    List<Map<String, String>> labels = new ArrayList<>();
    considered(nodes.snapshot()).forEach(node -> labels.add(node.meta().labels()));
    return new TopologyRules.ClusterNodes(byName(), labels);
  }

  public boolean hasCsiNode(String node) {
    return csiNodes.get(ObjectKey.cluster(node)).isPresent();
  }

  public Optional<String> nodeId(String node) {
    return csiNodes
        .get(ObjectKey.cluster(node))
        .flatMap(this::driverOn)
        .map(CsiNode.Driver::nodeId);
  }

  private Optional<CsiNode.Driver> driverOn(CsiNode node) {
    return node.drivers().stream().filter(d -> d.name().equals(driver)).findFirst();
  }
}
