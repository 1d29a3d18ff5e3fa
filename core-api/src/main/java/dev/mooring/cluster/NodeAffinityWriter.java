package dev.mooring.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

public final class NodeAffinityWriter {
  private NodeAffinityWriter() {}

  /**
   * Sets the required node affinity; sets nothing if every node can reach the volume.
   *
   * @param topology sets of node labels; a node must have all labels of one set. Empty sets are
   *     dropped, because a term without expressions matches no node
   */
  public static void set(Document volume, List<Map<String, String>> topology) {
    List<Map<String, Object>> terms = new ArrayList<>();
    for (Map<String, String> segments : topology) {
      if (segments.isEmpty()) {
        continue;
      }
      List<Map<String, Object>> expressions = new ArrayList<>();
      new TreeMap<>(segments)
          .forEach((key, value) ->
              expressions.add(Map.of("key", key, "operator", "In", "values", List.of(value))));
      terms.add(Map.of("matchExpressions", expressions));
    }
    if (terms.isEmpty()) {
      return;
    }
    volume.set(terms, "spec", "nodeAffinity", "required", "nodeSelectorTerms");
  }
}
