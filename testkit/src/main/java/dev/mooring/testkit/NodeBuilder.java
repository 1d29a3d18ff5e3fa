package dev.mooring.testkit;

import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builder of a Node. Default: ready, without taints and volumes. */
public final class NodeBuilder extends ObjectBuilder<Node, NodeBuilder> {
  private List<String> taints = List.of();
  private @Nullable String ready = "True";
  private List<String> volumesInUse = List.of();
  private Map<String, String> volumesAttached = Map.of();

  NodeBuilder(ObjectKey key) {
    super(key);
  }

  public NodeBuilder taints(List<String> value) {
    this.taints = value;
    return this;
  }

  public NodeBuilder ready(@Nullable String value) {
    this.ready = value;
    return this;
  }

  public NodeBuilder volumesInUse(List<String> value) {
    this.volumesInUse = value;
    return this;
  }

  public NodeBuilder volumesAttached(Map<String, String> value) {
    this.volumesAttached = value;
    return this;
  }

  @Override
  public Node build() {
    return new Node(meta(), taints, ready, volumesInUse, volumesAttached);
  }
}
