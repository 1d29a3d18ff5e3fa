package dev.mooring.apiserver.kinds.cel;

import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Static type checks of a rule: comparisons of a field with a constant, and the type of the result.
 * Not thread-safe.
 */
final class CelTypes {
  private record FieldComparison(String operator, List<String> left, List<String> right) {}

  private final List<FieldComparison> comparisons = new ArrayList<>();
  private List<String> resultTokens = List.of();

  void addComparison(String operator, List<String> left, List<String> right) {
    comparisons.add(new FieldComparison(operator, List.copyOf(left), List.copyOf(right)));
  }

  void setResultTokens(List<String> tokens) {
    resultTokens = List.copyOf(tokens);
  }

  /** Returns why the rule does not compile for the schema; null if it does. */
  @Nullable String findError(JsonObject schema) {
    for (FieldComparison comparison : comparisons) {
      String left = inferType(comparison.left, schema);
      String right = inferType(comparison.right, schema);
      if (!comparison.operator.equals("in")
          && !left.isEmpty()
          && !right.isEmpty()
          && !left.equals(right)) {
        return "compilation failed: ERROR: found no matching overload for '_%s_' applied to '(%s, %s)'"
            .formatted(comparison.operator, left, right);
      }
    }
    String resultType = inferType(resultTokens, schema);
    return resultType.isEmpty() || resultType.equals("bool")
        ? null
        : "cel expression must evaluate to a bool";
  }

  String inferResultType(JsonObject schema) {
    return inferType(resultTokens, schema);
  }

  // Returns the type, as CEL names it; "" if it is unknown.
  private static String inferType(List<String> tokens, JsonObject schema) {
    if (tokens.isEmpty()) {
      return "";
    }
    String first = tokens.getFirst();
    if (tokens.size() == 1 && !first.equals("self")) {
      return first.startsWith("\"")
          ? "string"
          : first.equals("true") || first.equals("false")
              ? "bool"
              : !Character.isDigit(first.charAt(0)) ? "" : first.contains(".") ? "double" : "int";
    }
    if (first.equals("size") && isSingleCall(tokens)) {
      return "int";
    }
    return first.equals("self") ? inferFieldType(tokens, schema) : "";
  }

  private static boolean isSingleCall(List<String> tokens) {
    int depth = 0;
    for (int i = 1; i < tokens.size(); i++) {
      depth += tokens.get(i).equals("(") ? 1 : tokens.get(i).equals(")") ? -1 : 0;
      if (depth == 0 && i < tokens.size() - 1) {
        return false;
      }
    }
    return depth == 0;
  }

  private static String inferFieldType(List<String> tokens, JsonObject schema) {
    JsonObject fieldSchema = schema;
    for (int i = 1; i < tokens.size(); i += 2) {
      if (!tokens.get(i).equals(".")
          || i + 1 >= tokens.size()
          || !(valueAt(fieldSchema, "properties", tokens.get(i + 1))
              instanceof JsonObject childSchema)) {
        return "";
      }
      fieldSchema = childSchema;
    }
    return switch (textAt(fieldSchema, "type")) {
      case "string" -> textAt(fieldSchema, "format").isEmpty() ? "string" : "";
      case "integer" -> "int";
      case "boolean" -> "bool";
      case "array" -> "list";
      case "object" -> "map";
      default -> "";
    };
  }
}
