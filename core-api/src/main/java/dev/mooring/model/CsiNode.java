package dev.mooring.model;

import java.util.List;

/**
 * A CSINode: which drivers run on a node.
 *
 * @param meta name and version
 * @param drivers the drivers
 */
public record CsiNode(Meta meta, List<Driver> drivers) implements Resource {
  /**
   * A driver on the node.
   *
   * @param name the driver's name
   * @param nodeId the node's name in the driver's terms
   * @param topologyKeys the labels that say where the node is
   * @param volumeLimit how many volumes may be attached, -1 for no limit
   */
  public record Driver(String name, String nodeId, List<String> topologyKeys, int volumeLimit) {}
}
