package dev.mooring.model;

import java.util.List;
import java.util.Map;

/**
 * A choice by labels. All terms must hold; no terms at all match everything.
 *
 * @param matchLabels labels that must be there with that value
 * @param matchExpressions further requirements
 */
public record LabelSelector(Map<String, String> matchLabels, List<Requirement> matchExpressions) {

  /**
   * One requirement.
   *
   * @param key the label
   * @param operator In, NotIn, Exists or DoesNotExist as written; any other never holds
   * @param values the values for In and NotIn
   */
  public record Requirement(String key, String operator, List<String> values) {
    private boolean holds(Map<String, String> labels) {
      String value = labels.get(key);
      return switch (operator) {
        case "In" -> value != null && values.contains(value);
        case "NotIn" -> value == null || !values.contains(value);
        case "Exists" -> value != null;
        case "DoesNotExist" -> value == null;
        default -> false;
      };
    }
  }

  /** Whether the labels satisfy every term. */
  public boolean matches(Map<String, String> labels) {
    for (Map.Entry<String, String> wanted : matchLabels.entrySet()) {
      if (!wanted.getValue().equals(labels.get(wanted.getKey()))) {
        return false;
      }
    }
    for (Requirement requirement : matchExpressions) {
      if (!requirement.holds(labels)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String toString() {
    StringBuilder out = new StringBuilder();
    matchLabels.forEach(
        (k, v) -> out.append(out.isEmpty() ? "" : ",").append(k).append('=').append(v));
    matchExpressions.forEach(r ->
        out.append(out.isEmpty() ? "" : ",")
            .append(r.key())
            .append(' ')
            .append(r.operator())
            .append(r.values()));
    return out.toString();
  }
}
