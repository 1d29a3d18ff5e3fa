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
import dev.mooring.apiserver.codec.Values;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
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

  private final Causes causes;
  private boolean sawRules;

  private CustomValidation(Causes causes) {
    this.causes = causes;
  }

  /** What is wrong with the object. */
  static void validate(
      JsonObject object, @Nullable JsonObject old, JsonObject schema, Causes causes) {
    Causes found = new Causes();
    CustomValidation validation = new CustomValidation(found);
    validation.value(object, schema, "");
    validation.sawRules = mentionsRules(schema);
    found.all().forEach(causes.all()::add);
    if (found.all().stream().noneMatch(c -> BLOCKING.contains(c.reason()))) {
      rules(object, old, schema, "", causes);
    } else if (validation.sawRules) {
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

  private void value(JsonElement value, JsonObject schema, String path) {
    if (value.isJsonNull()) {
      if (!flag(schema, "nullable") && !text(schema, "type").isEmpty()) {
        type(path, "null", text(schema, "type"));
      }
      return;
    }
    if (!hasType(value, schema)) {
      boolean either = flag(schema, "x-kubernetes-int-or-string");
      type(path, named(value), either ? "integer,string" : text(schema, "type"));
      return;
    }
    if (at(schema, "enum") instanceof JsonArray allowed && !allowed.contains(value)) {
      causes.notSupported(
          path,
          Causes.value(value),
          allowed.asList().stream().map(e -> String.valueOf(Causes.value(e))).toList());
    }
    switch (value) {
      case JsonObject object -> object(object, schema, path);
      case JsonArray list -> list(list, schema, path);
      case JsonPrimitive one when one.isString() -> string(one.getAsString(), schema, path);
      case JsonPrimitive one when one.isNumber() -> number(one, schema, path);
      default -> {
        // nothing else can be asked of it
      }
    }
    for (String all : List.of("allOf")) {
      if (at(schema, all) instanceof JsonArray parts) {
        parts.forEach(p -> value(value, p.getAsJsonObject(), path));
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
      default -> true;
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

  private void object(JsonObject object, JsonObject schema, String path) {
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
    for (Map.Entry<String, JsonElement> member : object.entrySet()) {
      JsonElement its = at(schema, "properties", member.getKey());
      JsonElement others = schema.get("additionalProperties");
      if (its instanceof JsonObject property) {
        value(member.getValue(), property, below(path, member.getKey()));
      } else if (others instanceof JsonObject values) {
        value(member.getValue(), values, below(path, member.getKey()));
      }
    }
  }

  private void list(JsonArray list, JsonObject schema, String path) {
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
        causes.duplicate(at, Causes.value(one));
      } else if (!keys.isEmpty() && one instanceof JsonObject object) {
        JsonObject key = new JsonObject();
        keys.forEach(k -> key.add(k, object.get(k)));
        if (!seen.add(key)) {
          causes.duplicate(at, key);
        }
      }
      if (schema.get("items") instanceof JsonObject items) {
        value(one, items, at);
      }
    }
  }

  private void string(String value, JsonObject schema, String path) {
    int length = value.codePointCount(0, value.length());
    JsonElement most = at(schema, "maxLength");
    if (most != null && length > most.getAsInt()) {
      causes.tooLong(path, most.getAsInt());
    }
    JsonElement least = at(schema, "minLength");
    if (least != null && length < least.getAsInt()) {
      causes.invalid(path, value, path + " in body should be at least " + least + " chars long");
    }
    String pattern = text(schema, "pattern");
    if (!pattern.isEmpty() && !Pattern.compile(pattern).matcher(value).find()) {
      causes.invalid(
          path,
          value,
          path.substring(path.lastIndexOf('.') + 1) + " in body should match '" + pattern + "'");
    }
    if (text(schema, "format").equals("date-time") && Values.time(value) == null) {
      causes.invalid(path, value, path + " in body must be of type date-time: \"" + value + "\"");
    }
  }

  private void number(JsonPrimitive value, JsonObject schema, String path) {
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
      JsonElement value, @Nullable JsonElement old, JsonObject schema, String path, Causes causes) {
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
        rules(list.get(i), null, items, path + "[" + i + "]", causes);
      }
    }
  }

  private static void rule(
      JsonObject rule, JsonElement value, @Nullable JsonElement old, String path, Causes causes) {
    String text = text(rule, "rule");
    if (text.contains("oldSelf") && old == null && !flag(rule, "optionalOldSelf")) {
      return;
    }
    String message = text(rule, "message");
    boolean holds;
    try {
      holds = new Cel(text).holds(value, old);
    } catch (Cel.CelException e) {
      holds = false;
      message = "rule evaluation error: " + e.getMessage();
    }
    if (holds) {
      return;
    }
    String told = message.isEmpty() ? "failed rule: " + text : message;
    String field = text(rule, "fieldPath").isEmpty() ? path : path + text(rule, "fieldPath");
    String reason = text(rule, "reason").isEmpty() ? "FieldValueInvalid" : text(rule, "reason");
    String shown = value.isJsonPrimitive() ? value + ": " : "";
    causes.all().add(new Problem.Cause(reason, "Invalid value: " + shown + told, field));
  }
}
