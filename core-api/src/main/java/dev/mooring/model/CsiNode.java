package dev.mooring.model;

import java.util.List;

/**
 * A CSINode: the CSI drivers on a node.
 *
 * @param meta name and version
 * @param drivers drivers on the node
 */
public record CsiNode(Meta meta, List<Driver> drivers) implements Resource {
  /**
   * A driver on the node.
   *
   * @param name name of the driver
   * @param nodeId id of the node in the driver
   * @param topologyKeys label keys that describe the node's location
   * @param volumeLimit maximum number of attached volumes; -1 if unlimited
   */
  public record Driver(String name, String nodeId, List<String> topologyKeys, int volumeLimit) {}
}
