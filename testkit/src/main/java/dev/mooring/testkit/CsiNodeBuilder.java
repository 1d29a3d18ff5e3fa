package dev.mooring.testkit;

import dev.mooring.model.CsiNode;
import dev.mooring.model.ObjectKey;
import java.util.ArrayList;
import java.util.List;

/** Builder of a CSINode. Default: without drivers. */
public final class CsiNodeBuilder extends ObjectBuilder<CsiNode, CsiNodeBuilder> {
  private List<CsiNode.Driver> drivers = List.of();

  CsiNodeBuilder(ObjectKey key) {
    super(key);
  }

  public CsiNodeBuilder drivers(List<CsiNode.Driver> value) {
    this.drivers = value;
    return this;
  }

  public CsiNodeBuilder driver(String driver, String nodeId) {
    List<CsiNode.Driver> newDrivers = new ArrayList<>(drivers);
    newDrivers.add(new CsiNode.Driver(driver, nodeId, List.of(), 0));
    return drivers(List.copyOf(newDrivers));
  }

  @Override
  public CsiNode build() {
    return new CsiNode(meta(), drivers);
  }
}
