package com.example.catalogue;

import dev.mooring.spi.Provisioner;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Chooses the room of a volume from the allowed topologies of its class and the selected node. */
final class Rooms {
  /** Label of nodes: the room in which they are. */
  static final String LABEL = "example.com/room";

  private Rooms() {}

  /** Returns the topology of the volume: empty for every room, or one room; absent if none fits. */
  static Optional<List<Map<String, String>>> choose(Provisioner.Request request) {
    List<String> allowed =
        request.allowedTopologies().stream()
            .flatMap(term -> term.getOrDefault(LABEL, List.of()).stream())
            .toList();
    Provisioner.NodeInfo node = request.node();
    String roomOfNode = node == null ? "" : node.labels().getOrDefault(LABEL, "");
    if (allowed.isEmpty() && roomOfNode.isEmpty()) {
      return Optional.of(List.of());
    }
    if (roomOfNode.isEmpty()) {
      return Optional.of(List.of(Map.of(LABEL, allowed.getFirst())));
    }
    return allowed.isEmpty() || allowed.contains(roomOfNode)
        ? Optional.of(List.of(Map.of(LABEL, roomOfNode)))
        : Optional.empty();
  }
}
