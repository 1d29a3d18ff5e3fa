package dev.mooring.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The nodes that can reach a volume, as a PersistentVolume says it. */
public final class NodeTerms {
  private NodeTerms() {}

  /**
   * Notes it in a PersistentVolume: nothing if every node can.
   *
   * @param topology sets of node labels; a node that has all of any one set can. A set without
   *     labels says nothing, and is left out: a term without expressions would match no node at all
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
