package dev.mooring.apiserver.kinds.cel;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.text;

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
  private List<String> whole = List.of();

  void addComparison(String operator, List<String> left, List<String> right) {
    comparisons.add(new FieldComparison(operator, List.copyOf(left), List.copyOf(right)));
  }

  void addResult(List<String> tokens) {
    whole = List.copyOf(tokens);
  }

  @Nullable String findError(JsonObject schema) {
    for (FieldComparison one : comparisons) {
      String left = findType(one.left, schema);
      String right = findType(one.right, schema);
      if (!one.operator.equals("in")
          && !left.isEmpty()
          && !right.isEmpty()
          && !left.equals(right)) {
        return "compilation failed: ERROR: found no matching overload for '_%s_' applied to '(%s, %s)'"
            .formatted(one.operator, left, right);
      }
    }
    String result = findType(whole, schema);
    return result.isEmpty() || result.equals("bool")
        ? null
        : "cel expression must evaluate to a bool";
  }

  String addResult(JsonObject schema) {
    return findType(whole, schema);
  }

  private static String findType(List<String> tokens, JsonObject schema) {
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
    if (first.equals("size") && isOneCall(tokens)) {
      return "int";
    }
    return first.equals("self") ? findFieldType(tokens, schema) : "";
  }

  private static boolean isOneCall(List<String> tokens) {
    int depth = 0;
    for (int i = 1; i < tokens.size(); i++) {
      depth += tokens.get(i).equals("(") ? 1 : tokens.get(i).equals(")") ? -1 : 0;
      if (depth == 0 && i < tokens.size() - 1) {
        return false;
      }
    }
    return depth == 0;
  }

  private static String findFieldType(List<String> tokens, JsonObject schema) {
    JsonObject here = schema;
    for (int i = 1; i < tokens.size(); i += 2) {
      if (!tokens.get(i).equals(".")
          || i + 1 >= tokens.size()
          || !(at(here, "properties", tokens.get(i + 1)) instanceof JsonObject below)) {
        return "";
      }
      here = below;
    }
    return switch (text(here, "type")) {
      case "string" -> text(here, "format").isEmpty() ? "string" : "";
      case "integer" -> "int";
      case "boolean" -> "bool";
      case "array" -> "list";
      case "object" -> "map";
      default -> "";
    };
  }
}
