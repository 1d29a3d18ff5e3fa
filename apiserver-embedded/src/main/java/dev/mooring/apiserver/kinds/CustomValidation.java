package dev.mooring.apiserver.kinds;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.flag;
import static dev.mooring.apiserver.codec.JsonBodies.strings;
import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A custom resource against its structural schema, rules of the expression language included. */
final class CustomValidation {
  private static final List<String> BLOCKING =
      List.of(
          "FieldValueNotSupported",
          "FieldValueRequired",
          "FieldValueTooLong",
          "FieldValueTooMany",
          "FieldValueTypeInvalid");
  private static final String RULES = "x-kubernetes-validations";

  private final FieldErrors causes;

  private CustomValidation(FieldErrors causes) {
    this.causes = causes;
  }

  /** What is wrong with the object. */
  static void validate(
      JsonElement object, @Nullable JsonElement old, JsonObject schema, FieldErrors causes) {
    FieldErrors found = new FieldErrors();
    new CustomValidation(found).value(object, old, schema, "");
    found.all().forEach(causes.all()::add);
    if (found.all().stream().noneMatch(c -> BLOCKING.contains(c.reason()))) {
      rules(object, old, schema, "", causes);
    } else if (mentionsRules(schema)) {
      causes.invalid(
          "<nil>",
          JsonNull.INSTANCE,
          "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation");
    }
  }

  private static boolean mentionsRules(JsonObject schema) {
    return schema.toString().contains("\"" + RULES + "\"");
  }

  private static String below(String path, String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  /** What was there before and is not changed stays, right or wrong. */
  private void value(JsonElement value, @Nullable JsonElement old, JsonObject schema, String path) {
    if (old != null && value.equals(old)) {
      return;
    }
    if (value.isJsonNull()) {
      if (!flag(schema, "nullable") && !text(schema, "type").isEmpty()) {
        type(path, "null", text(schema, "type"));
      }
      return;
    }
    if (!hasType(value, schema)) {
      boolean either = flag(schema, "x-kubernetes-int-or-string");
      boolean formatted =
          !text(schema, "format").isEmpty()
              && !value.isJsonArray()
              && !named(value).equals("string");
      if (formatted) {
        type(path, value instanceof JsonPrimitive p ? bits(p) : "", text(schema, "format"));
      } else {
        type(path, named(value), either ? "integer,string" : text(schema, "type"));
      }
      if (text(schema, "type").equals("integer") && named(value).equals("number")) {
        somewhere("Checked value must be of type integer (default format) in " + path);
      }
    }
    if (at(schema, "enum") instanceof JsonArray allowed && !allowed.contains(value)) {
      causes.notSupported(
          path,
          FieldErrors.value(value),
          allowed.asList().stream().map(e -> String.valueOf(FieldErrors.value(e))).toList());
    }
    switch (value) {
      case JsonObject object -> object(object, old, schema, path);
      case JsonArray list -> list(list, old, schema, path);
      case JsonPrimitive one when one.isString() -> string(one.getAsString(), schema, path);
      case JsonPrimitive one when one.isNumber() -> number(one, schema, path);
      default -> {
        // nothing else can be asked of it
      }
    }
    logic(value, schema, path);
  }

  private static String bits(JsonPrimitive one) {
    return !one.isNumber() ? "" : named(one).equals("integer") ? "int64" : "float64";
  }

  /** An error without a place of its own. */
  private void somewhere(String what) {
    causes.invalid("<nil>", "", what);
  }

  private List<FieldErrors> branches(
      JsonElement value, JsonObject schema, String name, String path) {
    List<FieldErrors> all = new ArrayList<>();
    if (at(schema, name) instanceof JsonArray parts) {
      for (JsonElement part : parts) {
        FieldErrors found = new FieldErrors();
        new CustomValidation(found).value(value, null, part.getAsJsonObject(), path);
        all.add(found);
      }
    }
    return all;
  }

  private void logic(JsonElement value, JsonObject schema, String path) {
    String quoted = "\"" + path + "\"";
    List<FieldErrors> any = branches(value, schema, "anyOf", path);
    if (!any.isEmpty() && any.stream().noneMatch(FieldErrors::isEmpty)) {
      somewhere(quoted + " must validate at least one schema (anyOf)");
      any.getFirst().all().forEach(causes.all()::add);
    }
    List<FieldErrors> one = branches(value, schema, "oneOf", path);
    long right = one.stream().filter(FieldErrors::isEmpty).count();
    if (!one.isEmpty() && right != 1) {
      String found = right == 0 ? "none valid" : right + " valid alternatives";
      somewhere(quoted + " must validate one and only one schema (oneOf). Found " + found);
      if (right == 0) {
        one.getFirst().all().forEach(causes.all()::add);
      }
    }
    List<FieldErrors> all = branches(value, schema, "allOf", path);
    if (all.stream().anyMatch(c -> !c.isEmpty())) {
      all.forEach(c -> c.all().forEach(causes.all()::add));
      boolean none = all.stream().noneMatch(FieldErrors::isEmpty);
      somewhere(
          quoted + " must validate all the schemas (allOf)" + (none ? ". None validated" : ""));
    }
    if (at(schema, "not") instanceof JsonObject part) {
      FieldErrors found = new FieldErrors();
      new CustomValidation(found).value(value, null, part, path);
      if (found.isEmpty()) {
        somewhere(quoted + " must not validate the schema (not)");
      }
    }
  }

  private void type(String path, String got, String wanted) {
    causes
        .all()
        .add(
            new Problem.Cause(
                "FieldValueTypeInvalid",
                "Invalid value: \""
                    + got
                    + "\": "
                    + path
                    + " in body must be of type "
                    + wanted
                    + ": \""
                    + got
                    + "\"",
                path));
  }

  static boolean hasType(JsonElement value, JsonObject schema) {
    JsonPrimitive one = value instanceof JsonPrimitive p ? p : null;
    boolean whole =
        one != null && one.isNumber() && one.getAsDouble() == Math.rint(one.getAsDouble());
    if (flag(schema, "x-kubernetes-int-or-string")) {
      return one != null && (one.isString() || whole);
    }
    return switch (text(schema, "type")) {
      case "object" -> value.isJsonObject();
      case "array" -> value.isJsonArray();
      case "string" -> one != null && one.isString();
      case "boolean" -> one != null && one.isBoolean();
      case "integer" -> whole;
      case "number" -> one != null && one.isNumber();
      case "" -> true;
      default -> false; // there is no such type, and nothing has it
    };
  }

  static String named(JsonElement value) {
    if (value.isJsonObject()) {
      return "object";
    }
    if (value.isJsonArray()) {
      return "array";
    }
    JsonPrimitive one = value.getAsJsonPrimitive();
    if (one.isString()) {
      return "string";
    }
    return one.isBoolean()
        ? "boolean"
        : one.getAsDouble() == Math.rint(one.getAsDouble()) ? "integer" : "number";
  }

  private void object(
      JsonObject object, @Nullable JsonElement old, JsonObject schema, String path) {
    for (String name : strings(schema, "required")) {
      if (!object.has(name)) {
        causes.required(below(path, name), "");
      }
    }
    if (flag(schema, CustomSchema.EMBEDDED)) {
      for (String name : List.of("apiVersion", "kind")) {
        if (text(object, name).isEmpty()) {
          causes.required(below(path, name), "");
        }
      }
    }
    JsonElement most = at(schema, "maxProperties");
    if (most != null && object.size() > most.getAsInt()) {
      causes.tooMany(path, object.size(), most.getAsInt());
    }
    JsonElement least = at(schema, "minProperties");
    if (least != null && object.size() < least.getAsInt()) {
      causes.invalid(
          path, object.size(), path + " in body should have at least " + least + " properties");
    }
    for (Map.Entry<String, JsonElement> member : object.entrySet()) {
      JsonElement its = at(schema, "properties", member.getKey());
      JsonElement others = schema.get("additionalProperties");
      JsonObject schemaBelow =
          its instanceof JsonObject p ? p : others instanceof JsonObject v ? v : null;
      if (schemaBelow != null) {
        JsonElement was = old instanceof JsonObject o ? o.get(member.getKey()) : null;
        value(member.getValue(), was, schemaBelow, below(path, member.getKey()));
      }
    }
  }

  private void list(JsonArray list, @Nullable JsonElement old, JsonObject schema, String path) {
    JsonElement most = at(schema, "maxItems");
    if (most != null && list.size() > most.getAsInt()) {
      causes.tooMany(path, list.size(), most.getAsInt());
    }
    JsonElement least = at(schema, "minItems");
    if (least != null && list.size() < least.getAsInt()) {
      causes.invalid(path, list.size(), path + " in body should have at least " + least + " items");
    }
    List<String> keys = strings(schema, "x-kubernetes-list-map-keys");
    boolean set = text(schema, "x-kubernetes-list-type").equals("set");
    Set<JsonElement> seen = new HashSet<>();
    for (int i = 0; i < list.size(); i++) {
      JsonElement one = list.get(i);
      String at = path + "[" + i + "]";
      if (set && !seen.add(one)) {
        causes.duplicate(at, FieldErrors.value(one));
      } else if (!keys.isEmpty() && one instanceof JsonObject object) {
        JsonObject key = new JsonObject();
        keys.forEach(k -> key.add(k, object.get(k)));
        if (!seen.add(key)) {
          causes.duplicate(at, key);
        }
      }
      if (schema.get("items") instanceof JsonObject items) {
        value(one, correlated(one, old, schema), items, at);
      }
    }
  }

  /** The element of the old list with the same keys; null where elements have none. */
  private static @Nullable JsonElement correlated(
      JsonElement one, @Nullable JsonElement old, JsonObject schema) {
    List<String> keys = strings(schema, "x-kubernetes-list-map-keys");
    if (!text(schema, "x-kubernetes-list-type").equals("map")
        || !(old instanceof JsonArray before)
        || !(one instanceof JsonObject object)) {
      return null;
    }
    for (JsonElement candidate : before) {
      if (candidate instanceof JsonObject was
          && keys.stream().allMatch(k -> Objects.equals(was.get(k), object.get(k)))) {
        return was;
      }
    }
    return null;
  }

  private void string(String value, JsonObject schema, String path) {
    int length = value.codePointCount(0, value.length());
    JsonElement most = at(schema, "maxLength");
    JsonElement least = at(schema, "minLength");
    if (most != null && length > most.getAsLong()) {
      causes.tooLong(path, most.getAsInt());
      return;
    }
    if (least != null && length < least.getAsLong()) {
      causes.invalid(path, value, path + " in body should be at least " + least + " chars long");
    }
    String pattern = text(schema, "pattern");
    if (!pattern.isEmpty() && !Pattern.compile(pattern).matcher(value).find()) {
      causes.invalid(path, value, path + " in body should match '" + pattern + "'");
    }
    String format = text(schema, "format");
    if (!Formats.matches(format, value)) {
      type(path, value, format);
    }
  }

  private void number(JsonPrimitive value, JsonObject schema, String path) {
    JsonElement of = at(schema, "multipleOf");
    if (of != null && value.getAsBigDecimal().remainder(of.getAsBigDecimal()).signum() != 0) {
      causes.invalid(path, value, path + " in body should be a multiple of " + of);
    }
    if (text(schema, "format").equals("int32")
        && value.getAsBigDecimal().abs().compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) > 0) {
      somewhere("Checked value must be of type integer with format int32 in " + path);
    }
    JsonElement least = at(schema, "minimum");
    boolean above = flag(schema, "exclusiveMinimum");
    if (least != null) {
      int order = value.getAsBigDecimal().compareTo(least.getAsBigDecimal());
      if (order < 0 || above && order == 0) {
        causes.invalid(
            path,
            value,
            path + " in body should be greater than " + (above ? "" : "or equal to ") + least);
      }
    }
    JsonElement most = at(schema, "maximum");
    boolean under = flag(schema, "exclusiveMaximum");
    if (most != null) {
      int order = value.getAsBigDecimal().compareTo(most.getAsBigDecimal());
      if (order > 0 || under && order == 0) {
        causes.invalid(
            path,
            value,
            path + " in body should be less than " + (under ? "" : "or equal to ") + most);
      }
    }
  }

  private static void rules(
      JsonElement value,
      @Nullable JsonElement old,
      JsonObject schema,
      String path,
      FieldErrors causes) {
    if (old != null && value.equals(old)) {
      return;
    }
    if (at(schema, RULES) instanceof JsonArray rules) {
      for (JsonElement one : rules) {
        rule(one.getAsJsonObject(), value, old, path, causes);
      }
    }
    if (value instanceof JsonObject object) {
      for (Map.Entry<String, JsonElement> member : object.entrySet()) {
        JsonElement its = at(schema, "properties", member.getKey());
        JsonElement others = schema.get("additionalProperties");
        JsonObject schemaBelow =
            its instanceof JsonObject p ? p : others instanceof JsonObject v ? v : null;
        if (schemaBelow != null) {
          JsonElement was = old instanceof JsonObject o ? o.get(member.getKey()) : null;
          rules(member.getValue(), was, schemaBelow, below(path, member.getKey()), causes);
        }
      }
    } else if (value instanceof JsonArray list && schema.get("items") instanceof JsonObject items) {
      for (int i = 0; i < list.size(); i++) {
        rules(
            list.get(i), correlated(list.get(i), old, schema), items, path + "[" + i + "]", causes);
      }
    }
  }

  private static void rule(
      JsonObject rule,
      JsonElement value,
      @Nullable JsonElement old,
      String path,
      FieldErrors causes) {
    String text = text(rule, "rule");
    boolean optional = flag(rule, "optionalOldSelf");
    if (text.contains("oldSelf") && old == null && !optional) {
      return;
    }
    String message = text(rule, "message");
    Cel.Subject subject = new Cel.Subject(value, old, optional);
    boolean holds;
    try {
      holds = new Cel(text).holds(subject);
      String expression = text(rule, "messageExpression");
      if (!holds && !expression.isEmpty()) {
        message = new Cel(expression).told(subject).orElse(message);
      }
    } catch (Cel.CelException e) {
      causes
          .all()
          .add(
              new Problem.Cause(
                  "FieldValueInvalid",
                  "Invalid value: \""
                      + named(value)
                      + "\": "
                      + e.getMessage()
                      + " evaluating rule: "
                      + (message.isEmpty() ? text : message),
                  path));
      return;
    }
    if (holds) {
      return;
    }
    String told = message.isEmpty() ? "failed rule: " + text : message;
    String field = text(rule, "fieldPath").isEmpty() ? path : path + text(rule, "fieldPath");
    String reason = text(rule, "reason").isEmpty() ? "FieldValueInvalid" : text(rule, "reason");
    String shown = value.isJsonPrimitive() ? value + ": " : "";
    String said =
        switch (reason) {
          case "FieldValueForbidden" -> "Forbidden: " + told;
          case "FieldValueRequired" -> "Required value: " + told;
          case "FieldValueDuplicate" -> "Duplicate value: " + (shown.isEmpty() ? told : value);
          default -> "Invalid value: " + shown + told;
        };
    causes.all().add(new Problem.Cause(reason, said, field));
  }
}
