package dev.mooring.model.migration;

import dev.mooring.model.LabelSelector.Requirement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The nodes that can reach a volume ({@code spec.nodeAffinity.required} of a PersistentVolume):
 * those that satisfy any one of the terms; without terms all nodes.
 *
 * @param terms the terms, in their order
 */
public record NodeAffinity(List<Term> terms) {
  /** Every node can. */
  public static final NodeAffinity NONE = new NodeAffinity(List.of());

  /**
   * One term: all of its requirements have to hold.
   *
   * @param expressions requirements of the node's labels, in their order
   * @param fields requirements of the node's fields
   */
  public record Term(List<Requirement> expressions, List<Requirement> fields) {
    /** Takes copies. */
    public Term {
      expressions = List.copyOf(expressions);
      fields = List.copyOf(fields);
    }
  }

  /** Takes a copy. */
  public NodeAffinity {
    terms = List.copyOf(terms);
  }

  /** As the API spells {@code spec.nodeAffinity}; made of maps, lists and texts only. */
  public Map<String, Object> spec() {
    return Map.of(
        "required", Map.of("nodeSelectorTerms", terms.stream().map(NodeAffinity::spec).toList()));
  }

  private static Map<String, Object> spec(Term term) {
    Map<String, Object> spec = new LinkedHashMap<>();
    if (!term.expressions().isEmpty()) {
      spec.put("matchExpressions", term.expressions().stream().map(NodeAffinity::spec).toList());
    }
    if (!term.fields().isEmpty()) {
      spec.put("matchFields", term.fields().stream().map(NodeAffinity::spec).toList());
    }
    return spec;
  }

  private static Map<String, Object> spec(Requirement requirement) {
    Map<String, Object> spec = new LinkedHashMap<>();
    spec.put("key", requirement.key());
    spec.put("operator", requirement.operator());
    if (!requirement.values().isEmpty()) {
      spec.put("values", requirement.values());
    }
    return spec;
  }
}
