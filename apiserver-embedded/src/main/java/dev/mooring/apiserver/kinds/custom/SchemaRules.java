package dev.mooring.apiserver.kinds.custom;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.flag;
import static dev.mooring.apiserver.codec.JsonBodies.strings;
import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.kinds.cel.CelRule;
import dev.mooring.apiserver.kinds.model.CustomSchema;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.rules.StringFormats;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Validates schemas of custom resources: they must be structural and use supported features only.
 */
final class SchemaStrategy {
  private static final List<String> TYPES =
      List.of("array", "boolean", "integer", "number", "object", "string");
  private static final List<String> UNSUPPORTED =
      List.of("$ref", "definitions", "dependencies", "patternProperties");
  private static final List<String> NOT_IN_LOGIC =
      List.of(
          "type description title default nullable x-kubernetes-list-type x-kubernetes-map-type"
              .split(" "));
  private static final List<String> REASONS =
      List.of(
          "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired");
  private static final String EITHER = "x-kubernetes-int-or-string";
  private static final JsonElement INTEGER_OR_STRING =
      JsonParser.parseString("[{\"type\": \"integer\"}, {\"type\": \"string\"}]");

  private final FieldErrors errors;

  private SchemaStrategy(FieldErrors errors) {
    this.errors = errors;
  }

  static void validate(JsonObject root, String path, FieldErrors errors) {
    SchemaStrategy rules = new SchemaStrategy(errors);
    if (at(root, "additionalProperties") != null) {
      errors.addForbidden(path + ".additionalProperties", "must not be used at the root");
    }
    if (flag(root, "nullable")) {
      errors.addForbidden(path + ".nullable", "nullable cannot be true at the root");
    }
    rules.validateResourceFields(root, path);
    rules.validateNode(root, path, true);
  }

  static void findUnknownFormats(JsonElement node, List<String> warnings) {
    if (node instanceof JsonObject schema) {
      String format = schema.has("type") ? text(schema, "format") : "";
      if (!format.isEmpty() && !StringFormats.isKnown(format)) {
        warnings.add("unrecognized format \"" + format + "\"");
      }
      schema.entrySet().forEach(e -> findUnknownFormats(e.getValue(), warnings));
    } else if (node instanceof JsonArray list) {
      list.forEach(e -> findUnknownFormats(e, warnings));
    }
  }

  private void validateResourceFields(JsonObject schema, String path) {
    for (String name : List.of("kind", "apiVersion")) {
      String type = text(schema, "properties", name, "type");
      if (!type.isEmpty() && !type.equals("string")) {
        errors.addInvalid(path + ".properties[" + name + "].type", type, "must be string");
      }
    }
    if (at(schema, "properties", "metadata") instanceof JsonObject metadata) {
      String type = text(metadata, "type");
      if (!type.equals("object")) {
        errors.addInvalid(path + ".properties[metadata].type", type, "must be object");
      } else if (at(metadata, "properties") instanceof JsonObject properties
          && !List.of("name", "generateName").containsAll(properties.keySet())) {
        errors.addForbidden(
            path + ".properties[metadata]",
            "must not specify anything other than name and generateName, but metadata is implicitly specified");
      }
    }
  }

  private void validateNode(JsonObject schema, String path, boolean canCorrelate) {
    UNSUPPORTED.stream()
        .filter(schema::has)
        .forEach(name -> errors.addForbidden(path + "." + name, name + " is not supported"));
    String type = text(schema, "type");
    if (!type.isEmpty() && !TYPES.contains(type)) {
      errors.addNotSupported(path + ".type", type, TYPES);
    }
    if (flag(schema, "uniqueItems")) {
      errors.addForbidden(
          path + ".uniqueItems",
          "uniqueItems cannot be set to true since the runtime complexity becomes quadratic");
    }
    validatePattern(schema, path);
    validateChildren(schema, path, canCorrelate);
    validateExtensions(schema, path);
    validateDefault(schema, path);
    validateList(schema, path);
    for (String name : List.of("allOf", "anyOf", "oneOf")) {
      if (at(schema, name) instanceof JsonArray parts && !isIntOrString(schema, parts)) {
        for (int i = 0; i < parts.size(); i++) {
          validateLogic(parts.get(i).getAsJsonObject(), path + "." + name + "[" + i + "]");
        }
      }
    }
    if (at(schema, "not") instanceof JsonObject part) {
      validateLogic(part, path + ".not");
    }
    validateRules(schema, path, canCorrelate);
  }

  // A junction may contain a type only in the pattern that defines int-or-string.
  private static boolean isIntOrString(JsonObject schema, JsonArray parts) {
    return flag(schema, EITHER) && parts.equals(INTEGER_OR_STRING);
  }

  private void validatePattern(JsonObject schema, String path) {
    String pattern = text(schema, "pattern");
    try {
      Pattern.compile(pattern);
    } catch (PatternSyntaxException e) {
      errors.addInvalid(
          path + ".pattern",
          pattern,
          "must be a valid regular expression, but isn't: " + e.getDescription());
    }
  }

  private void validateChildren(JsonObject schema, String path, boolean canCorrelate) {
    if (at(schema, "properties") instanceof JsonObject properties) {
      for (Map.Entry<String, JsonElement> property : properties.entrySet()) {
        checkNested(
            property.getValue(),
            path + ".properties[" + property.getKey() + "]",
            "object fields",
            canCorrelate);
      }
    }
    if (at(schema, "additionalProperties") instanceof JsonObject values) {
      checkNested(values, path + ".additionalProperties", "object fields", canCorrelate);
      if (at(schema, "properties") != null) {
        errors.addForbidden(
            path + ".additionalProperties",
            "additionalProperties and properties are mutual exclusive");
      }
    }
    JsonElement items = at(schema, "items");
    if (items instanceof JsonObject one) {
      boolean map = text(schema, "x-kubernetes-list-type").equals("map");
      checkNested(one, path + ".items", "array items", canCorrelate && map);
    } else if (items instanceof JsonArray list && !list.isEmpty()) {
      errors.addForbidden(path + ".items", "items must be a schema object and not an array");
    } else if (text(schema, "type").equals("array")) {
      errors.addRequired(path + ".items", "must be specified");
    }
  }

  private void checkNested(JsonElement one, String path, String where, boolean canCorrelate) {
    JsonObject schema = one.getAsJsonObject();
    validateNode(schema, path, canCorrelate);
    boolean free = flag(schema, EITHER) || schema.has(CustomSchema.PRESERVE) || schema.has("$ref");
    if (text(schema, "type").isEmpty() && !free) {
      errors.addRequired(path + ".type", "must not be empty for specified " + where);
    }
    if (flag(schema, CustomSchema.EMBEDDED)) {
      validateResourceFields(schema, path);
    }
  }

  private void validateLogic(JsonObject part, String path) {
    NOT_IN_LOGIC.stream()
        .filter(part::has)
        .forEach(name -> errors.addForbidden(path + "." + name, "must be empty to be structural"));
    if (part.has("additionalProperties")) {
      errors.addForbidden(path + ".additionalProperties", "must be undefined to be structural");
    }
    if (at(part, "properties") instanceof JsonObject properties) {
      properties
          .entrySet()
          .forEach(e ->
              validateLogic(
                  e.getValue().getAsJsonObject(), path + ".properties[" + e.getKey() + "]"));
    }
    if (at(part, "items") instanceof JsonObject items) {
      validateLogic(items, path + ".items");
    }
  }

  private void validateExtensions(JsonObject schema, String path) {
    String type = text(schema, "type");
    JsonElement preserve = at(schema, CustomSchema.PRESERVE);
    if (preserve != null && !flag(schema, CustomSchema.PRESERVE)) {
      errors.addInvalid(path + "." + CustomSchema.PRESERVE, false, "must be true or undefined");
    }
    if (flag(schema, CustomSchema.EMBEDDED)) {
      if (!type.equals("object")) {
        errors.addInvalid(
            path + ".type", type, "must be object if x-kubernetes-embedded-resource is true");
      }
      if (preserve == null && at(schema, "properties") == null) {
        errors.addRequired(
            path + ".properties",
            "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields");
      }
    }
    String map = text(schema, "x-kubernetes-map-type");
    if (!map.isEmpty() && !type.equals("object")) {
      errors.addInvalid(
          path + ".type", type, "must be object if x-kubernetes-map-type is specified");
    }
    if (!map.isEmpty() && !List.of("atomic", "granular").contains(map)) {
      errors.addNotSupported(path + ".x-kubernetes-map-type", map, List.of("atomic", "granular"));
    }
  }

  private void validateDefault(JsonObject schema, String path) {
    JsonElement value = at(schema, "default");
    if (value == null) {
      return;
    }
    if (CustomSchema.hasUnknown(value, schema)) {
      errors.addInvalid(path + ".default", value, "must not have unknown fields");
    }
    FieldErrors found = new FieldErrors();
    CustomValidation.validate(value, null, schema, found);
    errors.addAllBelow(path + ".default", found);
  }

  private void listType(JsonObject schema, String type, String list, String path) {
    boolean listed = at(schema, "x-kubernetes-list-type") != null;
    if (listed && type.isEmpty()) {
      errors.addRequired(path + ".type", "must be array if x-kubernetes-list-type is specified");
    } else if (listed && !type.equals("array")) {
      errors.addInvalid(
          path + ".type", type, "must be array if x-kubernetes-list-type is specified");
    }
    if (listed && !List.of("atomic", "set", "map").contains(list)) {
      errors.addNotSupported(
          path + ".x-kubernetes-list-type", list, List.of("atomic", "set", "map"));
    }
  }

  private void validateList(JsonObject schema, String path) {
    String type = text(schema, "type");
    String list = text(schema, "x-kubernetes-list-type");
    List<String> keys = strings(schema, "x-kubernetes-list-map-keys");
    listType(schema, type, list, path);
    JsonObject items = at(schema, "items") instanceof JsonObject one ? one : new JsonObject();
    if (list.equals("set")
        && text(items, "type").equals("object")
        && !text(items, "x-kubernetes-map-type").equals("atomic")) {
      errors.addInvalid(
          path + ".items.x-kubernetes-map-type",
          JsonNull.INSTANCE,
          "must be atomic as item of a list with x-kubernetes-list-type=set");
    }
    if (!list.equals("map")) {
      if (!keys.isEmpty()) {
        errors.addRequired(
            path + ".x-kubernetes-list-type",
            "must be map if x-kubernetes-list-map-keys is non-empty");
      }
      return;
    }
    if (!text(items, "type").equals("object")) {
      errors.addInvalid(
          path + ".items.type",
          text(items, "type"),
          "must be object if parent array's x-kubernetes-list-type is map");
    }
    if (keys.isEmpty()) {
      errors.addRequired(
          path + ".x-kubernetes-list-map-keys",
          "must not be empty if x-kubernetes-list-type is map");
    }
    validateKeys(schema, items, keys, path);
  }

  private void validateKeys(JsonObject schema, JsonObject items, List<String> keys, String path) {
    boolean known = true;
    for (String key : keys) {
      String field = path + ".items.properties[" + key + "]";
      if (!(at(items, "properties", key) instanceof JsonObject property)) {
        known = false;
      } else if (List.of("object", "array").contains(text(property, "type"))) {
        errors.addInvalid(
            field + ".type",
            text(property, "type"),
            "must be a scalar type if parent array's x-kubernetes-list-type is map");
      } else if (!strings(items, "required").contains(key) && !property.has("default")) {
        errors.addRequired(
            field + ".default",
            "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property");
      }
    }
    if (!known) {
      errors.addInvalid(
          path + ".x-kubernetes-list-map-keys",
          FieldErrors.toShownValue(at(schema, "x-kubernetes-list-map-keys")),
          "entries must all be names of item properties");
    }
  }

  private void validateRules(JsonObject schema, String path, boolean canCorrelate) {
    if (at(schema, "x-kubernetes-validations") instanceof JsonArray rules) {
      for (int i = 0; i < rules.size(); i++) {
        JsonObject rule = rules.get(i).getAsJsonObject();
        String field = path + ".x-kubernetes-validations[" + i + "]";
        if (text(rule, "rule").isBlank()) {
          errors.addRequired(field + ".rule", "rule is not specified");
          continue;
        }
        validateRuleMessage(rule, schema, field);
        compileRule(rule, schema, field, canCorrelate);
      }
    }
  }

  private void validateRuleMessage(JsonObject rule, JsonObject schema, String field) {
    String message = text(rule, "message");
    if (message.contains("\n")) {
      errors.addInvalid(field + ".message", message, "must not contain line breaks");
    }
    String reason = text(rule, "reason");
    if (!reason.isEmpty() && !REASONS.contains(reason)) {
      errors.addNotSupported(field + ".reason", reason, REASONS);
    }
    String place = text(rule, "fieldPath");
    if (!place.isEmpty() && (!place.startsWith(".") || !hasField(schema, place.substring(1)))) {
      errors.addInvalid(field + ".fieldPath", place, "must be a valid path");
    }
    if (flag(rule, "optionalOldSelf") && !text(rule, "rule").contains("oldSelf")) {
      errors.addInvalid(
          field + ".optionalOldSelf", true, "may not be set if oldSelf is not used in rule");
    }
  }

  private static boolean hasField(JsonObject schema, String path) {
    JsonObject here = schema;
    for (String name : path.split("\\.")) {
      if (at(here, "properties", name) instanceof JsonObject below) {
        here = below;
      } else {
        return at(here, "additionalProperties") != null || path.contains("[");
      }
    }
    return true;
  }

  private void compileRule(JsonObject rule, JsonObject schema, String field, boolean canCorrelate) {
    String text = text(rule, "rule");
    if (!canCorrelate && text.contains("oldSelf") && !flag(rule, "optionalOldSelf")) {
      errors.addInvalid(
          field + ".rule",
          text,
          "oldSelf cannot be used on the uncorrelatable portion of the schema");
    }
    try {
      String wrong = new CelRule(text).findError(schema);
      if (wrong != null) {
        errors.addInvalid(field + ".rule", rule, wrong);
      }
    } catch (CelRule.CelException e) {
      errors.addInvalid(
          field + ".rule", rule, "compilation failed: ERROR: <input>:1:1: " + e.getMessage());
    }
    String expression = text(rule, "messageExpression");
    if (expression.isEmpty()) {
      return;
    }
    try {
      String type = new CelRule(expression).findType(schema);
      if (!type.isEmpty() && !type.equals("string")) {
        errors.addInvalid(
            field + ".messageExpression", rule, "messageExpression must evaluate to a string");
      }
    } catch (CelRule.CelException e) {
      errors.addInvalid(
          field + ".messageExpression",
          rule,
          "messageExpression compilation failed: " + e.getMessage());
    }
  }
}
