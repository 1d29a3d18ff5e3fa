package dev.mooring.model;

import java.util.List;
import java.util.Map;

/**
 * A label selector. All terms must match; a selector without terms matches everything.
 *
 * @param matchLabels required labels with their values
 * @param matchExpressions further requirements
 */
public record LabelSelector(Map<String, String> matchLabels, List<Requirement> matchExpressions) {

  /**
   * A requirement for one label.
   *
   * @param key key of the label
   * @param operator In, NotIn, Exists or DoesNotExist; any other operator never matches
   * @param values values for In and NotIn
   */
  public record Requirement(String key, String operator, List<String> values) {
    private boolean isMetBy(Map<String, String> labels) {
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

  public boolean matches(Map<String, String> labels) {
    for (Map.Entry<String, String> label : matchLabels.entrySet()) {
      if (!label.getValue().equals(labels.get(label.getKey()))) {
        return false;
      }
    }
    for (Requirement requirement : matchExpressions) {
      if (!requirement.isMetBy(labels)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    matchLabels.forEach(
        (k, v) -> text.append(text.isEmpty() ? "" : ",").append(k).append('=').append(v));
    matchExpressions.forEach(r ->
        text.append(text.isEmpty() ? "" : ",")
            .append(r.key())
            .append(' ')
            .append(r.operator())
            .append(r.values()));
    return text.toString();
  }
}
