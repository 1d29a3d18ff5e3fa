package dev.mooring.snapshots.state;

import dev.mooring.informer.Informer;
import dev.mooring.model.Node;
import dev.mooring.model.Volume;
import dev.mooring.snapshots.decide.SnapshotView.NodeChoice;

/** Finds the node whose instance of a driver reaches a volume. Thread-safe. */
public record VolumeNodes(Informer<Node> nodes) {
  // The first name, so that a repeated decision does not differ.
  public NodeChoice choose(Volume volume) {
    if (volume.nodeAffinity().terms().isEmpty()) {
      return NodeChoice.ANY;
    }
    String first = "";
    for (Node node : nodes.snapshot().objects()) {
      String name = node.meta().name();
      if ((first.isEmpty() || name.compareTo(first) < 0) && volume.nodeAffinity().admits(node)) {
        first = name;
      }
    }
    return new NodeChoice(true, first);
  }
}
