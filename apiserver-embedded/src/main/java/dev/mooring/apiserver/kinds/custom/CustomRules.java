package dev.mooring.apiserver.kinds.custom;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.flag;
import static dev.mooring.apiserver.codec.JsonBodies.text;

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

  static boolean hasRules(JsonObject schema) {
    return schema.toString().contains("\"" + RULES + "\"");
  }

  void check(CustomValue customValue) {
    if (customValue.isUnchanged()) {
      return;
    }
    if (at(customValue.schema(), RULES) instanceof JsonArray rules) {
      for (JsonElement one : rules) {
        check(customValue, one.getAsJsonObject());
      }
    }
    customValue.getMembers().forEach(this::check);
    customValue.getElements().forEach(this::check);
  }

  private void check(CustomValue customValue, JsonObject rule) {
    String text = text(rule, "rule");
    boolean optional = flag(rule, "optionalOldSelf");
    if (text.contains("oldSelf") && customValue.old() == null && !optional) {
      return;
    }
    String message = text(rule, "message");
    CelRule.RuleSubject subject =
        new CelRule.RuleSubject(customValue.value(), customValue.old(), optional);
    try {
      if (new CelRule(text).isSatisfied(subject)) {
        return;
      }
      String expression = text(rule, "messageExpression");
      if (!expression.isEmpty()) {
        message = new CelRule(expression).evaluateMessage(subject).orElse(message);
      }
      addViolation(customValue, rule, message.isEmpty() ? "failed rule: " + text : message);
    } catch (CelRule.CelException e) {
      String detail =
          "Invalid value: \"%s\": %s evaluating rule: %s"
              .formatted(
                  CustomValidation.nameType(customValue.value()),
                  e.getMessage(),
                  message.isEmpty() ? text : message);
      errors
          .all()
          .add(new StatusException.StatusCause("FieldValueInvalid", detail, customValue.path()));
    }
  }

  private void addViolation(CustomValue customValue, JsonObject rule, String message) {
    String field = customValue.path() + text(rule, "fieldPath");
    String reason = text(rule, "reason").isEmpty() ? "FieldValueInvalid" : text(rule, "reason");
    String shown = customValue.value().isJsonPrimitive() ? customValue.value() + ": " : "";
    String detail =
        switch (reason) {
          case "FieldValueForbidden" -> "Forbidden: " + message;
          case "FieldValueRequired" -> "Required value: " + message;
          case "FieldValueDuplicate" ->
              "Duplicate value: " + (shown.isEmpty() ? message : customValue.value());
          default -> "Invalid value: " + shown + message;
        };
    errors.all().add(new StatusException.StatusCause(reason, detail, field));
  }
}
