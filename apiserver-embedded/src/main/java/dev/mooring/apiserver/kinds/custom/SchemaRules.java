package dev.mooring.apiserver.kinds.custom;

import static dev.mooring.apiserver.codec.JsonBodies.flagAt;
import static dev.mooring.apiserver.codec.JsonBodies.stringsAt;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.mooring.apiserver.kinds.cel.CelRule;
import dev.mooring.apiserver.kinds.model.CustomSchema;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.rules.StringFormats;
import java.util.List;
import java.util.Map;

/**
 * Validates schemas of custom resources: they must be structural and use supported features only.
 */
final class SchemaRules {
  private static final List<String> TYPES =
      List.of("array", "boolean", "integer", "number", "object", "string");
  private static final List<String> UNSUPPORTED_FIELDS =
      List.of("$ref", "definitions", "dependencies", "patternProperties");
  private static final List<String> FORBIDDEN_IN_BRANCHES =
      List.of(
          "type description title default nullable x-kubernetes-list-type x-kubernetes-map-type"
              .split(" "));
  private static final List<String> RULE_REASONS =
      List.of(
          "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired");
  private static final String INT_OR_STRING = "x-kubernetes-int-or-string";
  private static final JsonElement INT_OR_STRING_BRANCHES =
      JsonParser.parseString("[{\"type\": \"integer\"}, {\"type\": \"string\"}]");

  private final FieldErrors errors;

  private SchemaRules(FieldErrors errors) {
    this.errors = errors;
  }

  static void validate(JsonObject root, String path, FieldErrors errors) {
    SchemaRules rules = new SchemaRules(errors);
    if (valueAt(root, "additionalProperties") != null) {
      errors.addForbidden(path + ".additionalProperties", "must not be used at the root");
    }
    if (flagAt(root, "nullable")) {
      errors.addForbidden(path + ".nullable", "nullable cannot be true at the root");
    }
    rules.validateResourceFields(root, path);
    rules.validateNode(root, path, true);
  }

  static void addFormatWarnings(JsonElement node, List<String> warnings) {
    if (node instanceof JsonObject schema) {
      String format = schema.has("type") ? textAt(schema, "format") : "";
      if (!format.isEmpty() && !StringFormats.isKnown(format)) {
        warnings.add("unrecognized format \"" + format + "\"");
      }
      schema.entrySet().forEach(e -> addFormatWarnings(e.getValue(), warnings));
    } else if (node instanceof JsonArray list) {
      list.forEach(e -> addFormatWarnings(e, warnings));
    }
  }

  private void validateResourceFields(JsonObject schema, String path) {
    for (String name : List.of("kind", "apiVersion")) {
      String type = textAt(schema, "properties", name, "type");
      if (!type.isEmpty() && !type.equals("string")) {
        errors.addInvalid(path + ".properties[" + name + "].type", type, "must be string");
      }
    }
    if (valueAt(schema, "properties", "metadata") instanceof JsonObject metadata) {
      String type = textAt(metadata, "type");
      if (!type.equals("object")) {
        errors.addInvalid(path + ".properties[metadata].type", type, "must be object");
      } else if (valueAt(metadata, "properties") instanceof JsonObject properties
          && !List.of("name", "generateName").containsAll(properties.keySet())) {
        errors.addForbidden(
            path + ".properties[metadata]",
            "must not specify anything other than name and generateName, but metadata is implicitly specified");
      }
    }
  }

  // canCorrelate: true if an update can find the old value, as rules with oldSelf require.
  private void validateNode(JsonObject schema, String path, boolean canCorrelate) {
    UNSUPPORTED_FIELDS.stream()
        .filter(schema::has)
        .forEach(name -> errors.addForbidden(path + "." + name, name + " is not supported"));
    String type = textAt(schema, "type");
    if (!type.isEmpty() && !TYPES.contains(type)) {
      errors.addNotSupported(path + ".type", type, TYPES);
    }
    if (flagAt(schema, "uniqueItems")) {
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
      if (valueAt(schema, name) instanceof JsonArray branches && !isIntOrString(schema, branches)) {
        for (int i = 0; i < branches.size(); i++) {
          validateBranch(branches.get(i).getAsJsonObject(), path + "." + name + "[" + i + "]");
        }
      }
    }
    if (valueAt(schema, "not") instanceof JsonObject notSchema) {
      validateBranch(notSchema, path + ".not");
    }
    validateRules(schema, path, canCorrelate);
  }

  // The branches of allOf, anyOf and oneOf may contain types only if they define int-or-string.
  private static boolean isIntOrString(JsonObject schema, JsonArray branches) {
    return flagAt(schema, INT_OR_STRING) && branches.equals(INT_OR_STRING_BRANCHES);
  }

  private void validatePattern(JsonObject schema, String path) {
    String pattern = textAt(schema, "pattern");
    try {
      Pattern.compile(pattern);
    } catch (PatternSyntaxException e) {
      errors.addInvalid(
          path + ".pattern",
          pattern,
          "must be a valid regular expression, but isn't: " + e.getMessage());
    }
  }

  private void validateChildren(JsonObject schema, String path, boolean canCorrelate) {
    if (valueAt(schema, "properties") instanceof JsonObject properties) {
      for (Map.Entry<String, JsonElement> property : properties.entrySet()) {
        validateNested(
            property.getValue(),
            path + ".properties[" + property.getKey() + "]",
            "object fields",
            canCorrelate);
      }
    }
    if (valueAt(schema, "additionalProperties") instanceof JsonObject values) {
      validateNested(values, path + ".additionalProperties", "object fields", canCorrelate);
      if (valueAt(schema, "properties") != null) {
        errors.addForbidden(
            path + ".additionalProperties",
            "additionalProperties and properties are mutual exclusive");
      }
    }
    JsonElement items = valueAt(schema, "items");
    if (items instanceof JsonObject itemSchema) {
      boolean isMapList = textAt(schema, "x-kubernetes-list-type").equals("map");
      validateNested(itemSchema, path + ".items", "array items", canCorrelate && isMapList);
    } else if (items instanceof JsonArray list && !list.isEmpty()) {
      errors.addForbidden(path + ".items", "items must be a schema object and not an array");
    } else if (textAt(schema, "type").equals("array")) {
      errors.addRequired(path + ".items", "must be specified");
    }
  }

  private void validateNested(
      JsonElement node, String path, String parentDescription, boolean canCorrelate) {
    JsonObject schema = node.getAsJsonObject();
    validateNode(schema, path, canCorrelate);
    boolean canOmitType =
        flagAt(schema, INT_OR_STRING) || schema.has(CustomSchema.PRESERVE) || schema.has("$ref");
    if (textAt(schema, "type").isEmpty() && !canOmitType) {
      errors.addRequired(path + ".type", "must not be empty for specified " + parentDescription);
    }
    if (flagAt(schema, CustomSchema.EMBEDDED)) {
      validateResourceFields(schema, path);
    }
  }

  private void validateBranch(JsonObject branch, String path) {
    FORBIDDEN_IN_BRANCHES.stream()
        .filter(branch::has)
        .forEach(name -> errors.addForbidden(path + "." + name, "must be empty to be structural"));
    if (branch.has("additionalProperties")) {
      errors.addForbidden(path + ".additionalProperties", "must be undefined to be structural");
    }
    if (valueAt(branch, "properties") instanceof JsonObject properties) {
      properties
          .entrySet()
          .forEach(e ->
              validateBranch(
                  e.getValue().getAsJsonObject(), path + ".properties[" + e.getKey() + "]"));
    }
    if (valueAt(branch, "items") instanceof JsonObject items) {
      validateBranch(items, path + ".items");
    }
  }

  private void validateExtensions(JsonObject schema, String path) {
    String type = textAt(schema, "type");
    JsonElement preserveUnknown = valueAt(schema, CustomSchema.PRESERVE);
    if (preserveUnknown != null && !flagAt(schema, CustomSchema.PRESERVE)) {
      errors.addInvalid(path + "." + CustomSchema.PRESERVE, false, "must be true or undefined");
    }
    if (flagAt(schema, CustomSchema.EMBEDDED)) {
      if (!type.equals("object")) {
        errors.addInvalid(
            path + ".type", type, "must be object if x-kubernetes-embedded-resource is true");
      }
      if (preserveUnknown == null && valueAt(schema, "properties") == null) {
        errors.addRequired(
            path + ".properties",
            "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields");
      }
    }
    String mapType = textAt(schema, "x-kubernetes-map-type");
    if (!mapType.isEmpty() && !type.equals("object")) {
      errors.addInvalid(
          path + ".type", type, "must be object if x-kubernetes-map-type is specified");
    }
    if (!mapType.isEmpty() && !List.of("atomic", "granular").contains(mapType)) {
      errors.addNotSupported(
          path + ".x-kubernetes-map-type", mapType, List.of("atomic", "granular"));
    }
  }

  private void validateDefault(JsonObject schema, String path) {
    JsonElement value = valueAt(schema, "default");
    if (value == null) {
      return;
    }
    if (CustomSchema.hasUnknown(value, schema)) {
      errors.addInvalid(path + ".default", value, "must not have unknown fields");
    }
    FieldErrors defaultErrors = new FieldErrors();
    CustomValidation.validate(value, null, schema, defaultErrors);
    errors.addAllBelow(path + ".default", defaultErrors);
  }

  private void validateListType(JsonObject schema, String type, String listType, String path) {
    boolean hasListType = valueAt(schema, "x-kubernetes-list-type") != null;
    if (hasListType && type.isEmpty()) {
      errors.addRequired(path + ".type", "must be array if x-kubernetes-list-type is specified");
    } else if (hasListType && !type.equals("array")) {
      errors.addInvalid(
          path + ".type", type, "must be array if x-kubernetes-list-type is specified");
    }
    if (hasListType && !List.of("atomic", "set", "map").contains(listType)) {
      errors.addNotSupported(
          path + ".x-kubernetes-list-type", listType, List.of("atomic", "set", "map"));
    }
  }

  private void validateList(JsonObject schema, String path) {
    String type = textAt(schema, "type");
    String listType = textAt(schema, "x-kubernetes-list-type");
    List<String> keys = stringsAt(schema, "x-kubernetes-list-map-keys");
    validateListType(schema, type, listType, path);
    JsonObject items =
        valueAt(schema, "items") instanceof JsonObject itemSchema ? itemSchema : new JsonObject();
    if (listType.equals("set")
        && textAt(items, "type").equals("object")
        && !textAt(items, "x-kubernetes-map-type").equals("atomic")) {
      errors.addInvalid(
          path + ".items.x-kubernetes-map-type",
          JsonNull.INSTANCE,
          "must be atomic as item of a list with x-kubernetes-list-type=set");
    }
    if (!listType.equals("map")) {
      if (!keys.isEmpty()) {
        errors.addRequired(
            path + ".x-kubernetes-list-type",
            "must be map if x-kubernetes-list-map-keys is non-empty");
      }
      return;
    }
    if (!textAt(items, "type").equals("object")) {
      errors.addInvalid(
          path + ".items.type",
          textAt(items, "type"),
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
    boolean areKeysKnown = true;
    for (String key : keys) {
      String field = path + ".items.properties[" + key + "]";
      if (!(valueAt(items, "properties", key) instanceof JsonObject property)) {
        areKeysKnown = false;
      } else if (List.of("object", "array").contains(textAt(property, "type"))) {
        errors.addInvalid(
            field + ".type",
            textAt(property, "type"),
            "must be a scalar type if parent array's x-kubernetes-list-type is map");
      } else if (!stringsAt(items, "required").contains(key) && !property.has("default")) {
        errors.addRequired(
            field + ".default",
            "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property");
      }
    }
    if (!areKeysKnown) {
      errors.addInvalid(
          path + ".x-kubernetes-list-map-keys",
          FieldErrors.toShownValue(valueAt(schema, "x-kubernetes-list-map-keys")),
          "entries must all be names of item properties");
    }
  }

  private void validateRules(JsonObject schema, String path, boolean canCorrelate) {
    if (valueAt(schema, "x-kubernetes-validations") instanceof JsonArray rules) {
      for (int i = 0; i < rules.size(); i++) {
        JsonObject rule = rules.get(i).getAsJsonObject();
        String field = path + ".x-kubernetes-validations[" + i + "]";
        if (textAt(rule, "rule").isBlank()) {
          errors.addRequired(field + ".rule", "rule is not specified");
          continue;
        }
        validateRuleMessage(rule, schema, field);
        compileRule(rule, schema, field, canCorrelate);
      }
    }
  }

  private void validateRuleMessage(JsonObject rule, JsonObject schema, String field) {
    String message = textAt(rule, "message");
    if (message.contains("\n")) {
      errors.addInvalid(field + ".message", message, "must not contain line breaks");
    }
    String reason = textAt(rule, "reason");
    if (!reason.isEmpty() && !RULE_REASONS.contains(reason)) {
      errors.addNotSupported(field + ".reason", reason, RULE_REASONS);
    }
    String fieldPath = textAt(rule, "fieldPath");
    if (!fieldPath.isEmpty()
        && (!fieldPath.startsWith(".") || !hasField(schema, fieldPath.substring(1)))) {
      errors.addInvalid(field + ".fieldPath", fieldPath, "must be a valid path");
    }
    if (flagAt(rule, "optionalOldSelf") && !textAt(rule, "rule").contains("oldSelf")) {
      errors.addInvalid(
          field + ".optionalOldSelf", true, "may not be set if oldSelf is not used in rule");
    }
  }

  private static boolean hasField(JsonObject schema, String path) {
    JsonObject parentSchema = schema;
    for (String name : path.split("\\.")) {
      if (valueAt(parentSchema, "properties", name) instanceof JsonObject childSchema) {
        parentSchema = childSchema;
      } else {
        return valueAt(parentSchema, "additionalProperties") != null || path.contains("[");
      }
    }
    return true;
  }

  private void compileRule(JsonObject rule, JsonObject schema, String field, boolean canCorrelate) {
    String ruleText = textAt(rule, "rule");
    if (!canCorrelate && ruleText.contains("oldSelf") && !flagAt(rule, "optionalOldSelf")) {
      errors.addInvalid(
          field + ".rule",
          ruleText,
          "oldSelf cannot be used on the uncorrelatable portion of the schema");
    }
    try {
      String error = new CelRule(ruleText).findError(schema);
      if (error != null) {
        errors.addInvalid(field + ".rule", rule, error);
      }
    } catch (CelRule.CelException e) {
      errors.addInvalid(
          field + ".rule", rule, "compilation failed: ERROR: <input>:1:1: " + e.getMessage());
    }
    String expression = textAt(rule, "messageExpression");
    if (expression.isEmpty()) {
      return;
    }
    try {
      String type = new CelRule(expression).inferType(schema);
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
