package dev.mooring.model;

import dev.mooring.model.LabelSelector.Requirement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The nodes from which a volume can be reached (spec.nodeAffinity.required): any one of the terms
 * is enough.
 *
 * @param terms the terms; none for every node
 */
public record NodeAffinity(List<Term> terms) {
  /** Every node can. */
  public static final NodeAffinity NONE = new NodeAffinity(List.of());

  private static final String NAME = "metadata.name";

  /** Copies the terms. */
  public NodeAffinity {
    terms = List.copyOf(terms);
  }

  /**
   * One term: all of its requirements have to hold. One without any holds nowhere, as in
   * Kubernetes.
   *
   * @param expressions requirements of the node's labels, in their order
   * @param fields requirements of the node's fields; there is {@code metadata.name}, and no other
   */
  public record Term(List<Requirement> expressions, List<Requirement> fields) {
    /** Copies the requirements. */
    public Term {
      expressions = List.copyOf(expressions);
      fields = List.copyOf(fields);
    }

    private boolean admits(Node node) {
      return !(expressions.isEmpty() && fields.isEmpty())
          && expressions.stream().allMatch(r -> holds(r, node.meta().labels()))
          && fields.stream().allMatch(r -> holds(r, Map.of(NAME, node.meta().name())));
    }

    @Override
    public String toString() {
      return Stream.concat(expressions.stream(), fields.stream())
          .map(NodeAffinity::words)
          .collect(Collectors.joining(" and "));
    }
  }

  /** Whether the volume can be reached from the node. */
  public boolean admits(Node node) {
    return terms.isEmpty() || terms.stream().anyMatch(term -> term.admits(node));
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

  private static boolean holds(Requirement requirement, Map<String, String> values) {
    String value = values.get(requirement.key());
    return switch (requirement.operator()) {
      case "Gt" -> compares(value, requirement, 1);
      case "Lt" -> compares(value, requirement, -1);
      default -> new LabelSelector(Map.of(), List.of(requirement)).matches(values);
    };
  }

  /** Whether both are whole numbers, and stand to each other in that way. */
  private static boolean compares(@Nullable String value, Requirement requirement, int sign) {
    if (value == null || requirement.values().size() != 1) {
      return false;
    }
    try {
      return Long.compare(Long.parseLong(value), Long.parseLong(requirement.values().getFirst()))
          == sign;
    } catch (NumberFormatException noNumber) {
      return false;
    }
  }

  private static String words(Requirement requirement) {
    return switch (requirement.operator()) {
      case "In" -> requirement.key() + " in " + requirement.values();
      case "NotIn" -> requirement.key() + " not in " + requirement.values();
      case "Exists" -> requirement.key();
      case "DoesNotExist" -> "no " + requirement.key();
      default -> requirement.key() + " " + requirement.operator() + " " + requirement.values();
    };
  }

  /** For people: what a node must be. */
  @Override
  public String toString() {
    return terms.stream().map(Term::toString).collect(Collectors.joining(", or "));
  }
}
