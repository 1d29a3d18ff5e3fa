package dev.mooring.apiserver.kinds;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.strings;
import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Label selectors in objects. */
final class Selectable {
  private Selectable() {}

  /** What is wrong with a selector, where there is one. */
  static void validate(@Nullable JsonElement selector, String field, FieldErrors causes) {
    if (!(selector instanceof JsonObject object)) {
      return;
    }
    if (at(object, "matchLabels") instanceof JsonObject labels) {
      labels
          .keySet()
          .forEach(k -> {
            ObjectNames.qualified(k, field + ".matchLabels", causes);
            ObjectNames.labelValue(text(labels, k), field + ".matchLabels", causes);
          });
    }
    if (at(object, "matchExpressions") instanceof JsonArray expressions) {
      for (int i = 0; i < expressions.size(); i++) {
        expression(
            expressions.get(i).getAsJsonObject(), field + ".matchExpressions[" + i + "]", causes);
      }
    }
  }

  /** The same, saying first that the selector as a whole is none. */
  static void validateWhole(@Nullable JsonElement selector, String field, FieldErrors causes) {
    FieldErrors found = new FieldErrors();
    validate(selector, field, found);
    found.all().forEach(causes.all()::add);
    if (!found.isEmpty()) {
      causes.invalid(field, "null", "invalid label selector.");
    }
  }

  private static void expression(JsonObject expression, String field, FieldErrors causes) {
    List<String> values = strings(expression, "values");
    String operator = text(expression, "operator");
    switch (operator) {
      case "In", "NotIn" -> {
        if (values.isEmpty()) {
          causes.required(
              field + ".values", "must be specified when `operator` is 'In' or 'NotIn'");
        }
      }
      case "Exists", "DoesNotExist" -> {
        if (!values.isEmpty()) {
          causes.forbidden(
              field + ".values",
              "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
        }
      }
      default -> causes.invalid(field + ".operator", operator, "not a valid selector operator");
    }
    ObjectNames.qualified(text(expression, "key"), field + ".key", causes);
    for (int i = 0; i < values.size(); i++) {
      ObjectNames.labelValue(values.get(i), field + ".values[" + i + "]", causes);
    }
  }
}
