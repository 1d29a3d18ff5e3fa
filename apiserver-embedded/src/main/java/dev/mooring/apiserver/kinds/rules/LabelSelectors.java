package dev.mooring.apiserver.kinds.rules;

import static dev.mooring.apiserver.codec.JsonBodies.newObject;
import static dev.mooring.apiserver.codec.JsonBodies.stringsAt;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

public final class LabelSelectors {
  private LabelSelectors() {}

  public static void validate(ValidatedObject object, String name) {
    validate(object.value(name), object.path(name), object.errors());
  }

  public static void validate(@Nullable JsonElement selector, String field, FieldErrors errors) {
    if (!(selector instanceof JsonObject object)) {
      return;
    }
    if (valueAt(object, "matchLabels") instanceof JsonObject labels) {
      labels
          .keySet()
          .forEach(k -> {
            ObjectNames.validateQualifiedName(k, field + ".matchLabels", errors);
            ObjectNames.validateLabelValue(textAt(labels, k), field + ".matchLabels", errors);
          });
    }
    if (valueAt(object, "matchExpressions") instanceof JsonArray expressions) {
      for (int i = 0; i < expressions.size(); i++) {
        validateExpression(
            expressions.get(i).getAsJsonObject(), field + ".matchExpressions[" + i + "]", errors);
      }
    }
  }

  /** Returns whether the selector selects an object with these labels; an empty one selects all. */
  public static boolean isMatching(JsonObject selector, JsonObject labels) {
    ValidatedObject terms = ValidatedObject.forReading(selector);
    for (Map.Entry<String, JsonElement> label : terms.getChild("matchLabels").object().entrySet()) {
      if (!label.getValue().equals(labels.get(label.getKey()))) {
        return false;
      }
    }
    for (ValidatedObject expression : terms.getChildren("matchExpressions")) {
      JsonElement value = labels.get(expression.text("key"));
      boolean isListed =
          value != null && expression.strings("values").contains(value.getAsString());
      boolean isFulfilled =
          switch (expression.text("operator")) {
            case "In" -> isListed;
            case "NotIn" -> !isListed;
            case "Exists" -> value != null;
            case "DoesNotExist" -> value == null;
            default -> true;
          };
      if (!isFulfilled) {
        return false;
      }
    }
    return true;
  }

  public static String formatLine(@Nullable JsonElement selector) {
    List<ValidatedObject> terms = new ArrayList<>();
    if (!(selector instanceof JsonObject object)) {
      return "";
    }
    if (valueAt(object, "matchLabels") instanceof JsonObject labels) {
      for (String key : labels.keySet()) {
        terms.add(ValidatedObject.forReading(newObject("key", key, "is", textAt(labels, key))));
      }
    }
    terms.addAll(ValidatedObject.forReading(object).getChildren("matchExpressions"));
    return terms.stream()
        .sorted(Comparator.comparing(t -> t.text("key")))
        .map(LabelSelectors::formatTerm)
        .collect(Collectors.joining(","));
  }

  private static String formatTerm(ValidatedObject term) {
    String key = term.text("key");
    String values =
        term.strings("values").stream().sorted().collect(Collectors.joining(",", " (", ")"));
    return switch (term.text("operator")) {
      case "In" -> key + " in" + values;
      case "NotIn" -> key + " notin" + values;
      case "Exists" -> key;
      case "DoesNotExist" -> "!" + key;
      default -> key + "=" + term.text("is");
    };
  }

  /** Validates a selector, and first reports an error for the selector as a whole. */
  public static void validateWhole(
      @Nullable JsonElement selector, String field, FieldErrors errors) {
    FieldErrors selectorErrors = new FieldErrors();
    validate(selector, field, selectorErrors);
    selectorErrors.getCauses().forEach(errors.getCauses()::add);
    if (!selectorErrors.isEmpty()) {
      errors.addInvalid(field, "null", "invalid label selector.");
    }
  }

  private static void validateExpression(JsonObject expression, String field, FieldErrors errors) {
    String operator = textAt(expression, "operator");
    if (!List.of("In", "NotIn", "Exists", "DoesNotExist").contains(operator)) {
      errors.addInvalid(field + ".operator", operator, "not a valid selector operator");
    }
    validateRequirement(expression, field, true, errors);
  }

  /** Validates one requirement of a label or field selector; accepts any operator. */
  public static void validateRequirement(
      JsonObject expression, String field, boolean isLabelSelector, FieldErrors errors) {
    List<String> values = stringsAt(expression, "values");
    if (!isLabelSelector && textAt(expression, "key").isEmpty()) {
      errors.addRequired(field + ".key", "must be specified");
    }
    switch (textAt(expression, "operator")) {
      case "In", "NotIn" -> {
        if (values.isEmpty()) {
          errors.addRequired(
              field + ".values", "must be specified when `operator` is 'In' or 'NotIn'");
        }
      }
      case "Exists", "DoesNotExist" -> {
        if (!values.isEmpty()) {
          errors.addForbidden(
              field + ".values",
              "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
        }
      }
      default -> {
        // other operators need no support here
      }
    }
    if (!isLabelSelector) {
      return;
    }
    ObjectNames.validateQualifiedName(textAt(expression, "key"), field + ".key", errors);
    for (int i = 0; i < values.size(); i++) {
      ObjectNames.validateLabelValue(values.get(i), field + ".values[" + i + "]", errors);
    }
  }
}
