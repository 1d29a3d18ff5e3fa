package dev.mooring.model;

import dev.mooring.model.LabelSelector.Requirement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Nodes that can reach a volume (spec.nodeAffinity.required). A node must match at least one term.
 *
 * @param terms alternative terms; empty for every node
 */
public record NodeAffinity(List<Term> terms) {
  public static final NodeAffinity NONE = new NodeAffinity(List.of());

  private static final String NAME = "metadata.name";

  public NodeAffinity {
    terms = List.copyOf(terms);
  }

  /**
   * A term. All requirements must match; a term without requirements matches no node, as in
   * Kubernetes.
   *
   * @param expressions requirements for node labels, in their order
   * @param fields requirements for node fields; Kubernetes supports only {@code metadata.name}
   */
  public record Term(List<Requirement> expressions, List<Requirement> fields) {
    public Term {
      expressions = List.copyOf(expressions);
      fields = List.copyOf(fields);
    }

    private boolean admits(Node node) {
      return !(expressions.isEmpty() && fields.isEmpty())
          && expressions.stream().allMatch(r -> isMet(r, node.meta().labels()))
          && fields.stream().allMatch(r -> isMet(r, Map.of(NAME, node.meta().name())));
    }

    @Override
    public String toString() {
      return Stream.concat(expressions.stream(), fields.stream())
          .map(NodeAffinity::describe)
          .collect(Collectors.joining(" and "));
    }
  }

  public boolean admits(Node node) {
    return terms.isEmpty() || terms.stream().anyMatch(term -> term.admits(node));
  }

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

  private static boolean isMet(Requirement requirement, Map<String, String> values) {
    String value = values.get(requirement.key());
    return switch (requirement.operator()) {
      case "Gt" -> compares(value, requirement, 1);
      case "Lt" -> compares(value, requirement, -1);
      default -> new LabelSelector(Map.of(), List.of(requirement)).matches(values);
    };
  }

  private static boolean compares(@Nullable String value, Requirement requirement, int sign) {
    if (value == null || requirement.values().size() != 1) {
      return false;
    }
    try {
      return Long.compare(Long.parseLong(value), Long.parseLong(requirement.values().getFirst()))
          == sign;
    } catch (NumberFormatException invalidNumber) {
      return false;
    }
  }

  private static String describe(Requirement requirement) {
    return switch (requirement.operator()) {
      case "In" -> requirement.key() + " in " + requirement.values();
      case "NotIn" -> requirement.key() + " not in " + requirement.values();
      case "Exists" -> requirement.key();
      case "DoesNotExist" -> "no " + requirement.key();
      default -> requirement.key() + " " + requirement.operator() + " " + requirement.values();
    };
  }

  @Override
  public String toString() {
    return terms.stream().map(Term::toString).collect(Collectors.joining(", or "));
  }
}
