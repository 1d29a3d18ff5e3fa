package dev.mooring.apiserver.kinds.custom;

import static dev.mooring.apiserver.codec.JsonBodies.flagAt;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.cel.CelRule;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.model.StatusException;

final class CustomRules {
  private static final String RULES = "x-kubernetes-validations";

  private final FieldErrors errors;

  CustomRules(FieldErrors errors) {
    this.errors = errors;
  }

  /** Returns whether the schema, or a schema inside it, has rules. */
  static boolean hasRules(JsonObject schema) {
    return schema.toString().contains("\"" + RULES + "\"");
  }

  void checkRules(CustomValue customValue) {
    if (customValue.isUnchanged()) {
      return;
    }
    if (valueAt(customValue.schema(), RULES) instanceof JsonArray rules) {
      for (JsonElement ruleElement : rules) {
        checkRule(customValue, ruleElement.getAsJsonObject());
      }
    }
    customValue.getMembers().forEach(this::checkRules);
    customValue.getElements().forEach(this::checkRules);
  }

  private void checkRule(CustomValue customValue, JsonObject rule) {
    String text = textAt(rule, "rule");
    boolean isOldOptional = flagAt(rule, "optionalOldSelf");
    if (text.contains("oldSelf") && customValue.oldValue() == null && !isOldOptional) {
      return;
    }
    String message = textAt(rule, "message");
    CelRule.RuleSubject subject =
        new CelRule.RuleSubject(customValue.value(), customValue.oldValue(), isOldOptional);
    try {
      if (new CelRule(text).isSatisfied(subject)) {
        return;
      }
      String expression = textAt(rule, "messageExpression");
      if (!expression.isEmpty()) {
        message = new CelRule(expression).evaluateMessage(subject).orElse(message);
      }
      addViolation(customValue, rule, message.isEmpty() ? "failed rule: " + text : message);
    } catch (CelRule.CelException e) {
      String detail =
          "Invalid value: \"%s\": %s evaluating rule: %s"
              .formatted(
                  CustomValidation.getTypeName(customValue.value()),
                  e.getMessage(),
                  message.isEmpty() ? text : message);
      errors
          .getCauses()
          .add(new StatusException.StatusCause("FieldValueInvalid", detail, customValue.path()));
    }
  }

  private void addViolation(CustomValue customValue, JsonObject rule, String message) {
    String field = customValue.path() + textAt(rule, "fieldPath");
    String reason = textAt(rule, "reason").isEmpty() ? "FieldValueInvalid" : textAt(rule, "reason");
    String valuePrefix = customValue.value().isJsonPrimitive() ? customValue.value() + ": " : "";
    String detail =
        switch (reason) {
          case "FieldValueForbidden" -> "Forbidden: " + message;
          case "FieldValueRequired" -> "Required value: " + message;
          case "FieldValueDuplicate" ->
              "Duplicate value: " + (valuePrefix.isEmpty() ? message : customValue.value());
          default -> "Invalid value: " + valuePrefix + message;
        };
    errors.getCauses().add(new StatusException.StatusCause(reason, detail, field));
  }
}
