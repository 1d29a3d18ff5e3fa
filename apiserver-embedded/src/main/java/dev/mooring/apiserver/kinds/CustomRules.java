package dev.mooring.apiserver.kinds;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.flag;
import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

/** Evaluates the validation rules of a schema. */
final class CustomRules {
  private static final String RULES = "x-kubernetes-validations";

  private final FieldErrors errors;

  CustomRules(FieldErrors errors) {
    this.errors = errors;
  }

  static boolean areIn(JsonObject schema) {
    return schema.toString().contains("\"" + RULES + "\"");
  }

  /** Evaluates the rules of the value and of everything in it. */
  void check(CustomValue it) {
    if (it.isUnchanged()) {
      return;
    }
    if (at(it.schema(), RULES) instanceof JsonArray rules) {
      for (JsonElement one : rules) {
        check(it, one.getAsJsonObject());
      }
    }
    it.members().forEach(this::check);
    it.elements().forEach(this::check);
  }

  private void check(CustomValue it, JsonObject rule) {
    String text = text(rule, "rule");
    boolean optional = flag(rule, "optionalOldSelf");
    if (text.contains("oldSelf") && it.old() == null && !optional) {
      return;
    }
    String message = text(rule, "message");
    CelRule.RuleSubject subject = new CelRule.RuleSubject(it.value(), it.old(), optional);
    try {
      if (new CelRule(text).holds(subject)) {
        return;
      }
      String expression = text(rule, "messageExpression");
      if (!expression.isEmpty()) {
        message = new CelRule(expression).message(subject).orElse(message);
      }
      broken(it, rule, message.isEmpty() ? "failed rule: " + text : message);
    } catch (CelRule.CelException e) {
      String said =
          "Invalid value: \""
              + CustomValidation.named(it.value())
              + "\": "
              + e.getMessage()
              + " evaluating rule: "
              + (message.isEmpty() ? text : message);
      errors.all().add(new Problem.StatusCause("FieldValueInvalid", said, it.path()));
    }
  }

  private void broken(CustomValue it, JsonObject rule, String told) {
    String field = it.path() + text(rule, "fieldPath");
    String reason = text(rule, "reason").isEmpty() ? "FieldValueInvalid" : text(rule, "reason");
    String shown = it.value().isJsonPrimitive() ? it.value() + ": " : "";
    String said =
        switch (reason) {
          case "FieldValueForbidden" -> "Forbidden: " + told;
          case "FieldValueRequired" -> "Required value: " + told;
          case "FieldValueDuplicate" -> "Duplicate value: " + (shown.isEmpty() ? told : it.value());
          default -> "Invalid value: " + shown + told;
        };
    errors.all().add(new Problem.StatusCause(reason, said, field));
  }
}
