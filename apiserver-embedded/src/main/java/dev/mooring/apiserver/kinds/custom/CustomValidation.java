package dev.mooring.apiserver.kinds.custom;

import static dev.mooring.apiserver.codec.JsonBodies.flagAt;
import static dev.mooring.apiserver.codec.JsonBodies.stringsAt;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import com.google.re2j.Pattern;
import dev.mooring.apiserver.kinds.model.CustomSchema;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.kinds.rules.StringFormats;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

final class CustomValidation {
  private static final List<String> RULE_BLOCKING_REASONS =
      List.of(
          "FieldValueNotSupported",
          "FieldValueRequired",
          "FieldValueTooLong",
          "FieldValueTooMany",
          "FieldValueTypeInvalid");

  private final FieldErrors errors;

  private CustomValidation(FieldErrors errors) {
    this.errors = errors;
  }

  static void validate(
      JsonElement object, @Nullable JsonElement old, JsonObject schema, FieldErrors errors) {
    CustomValue subject = new CustomValue(object, old, schema, "");
    FieldErrors schemaErrors = new FieldErrors();
    new CustomValidation(schemaErrors).validateValue(subject);
    schemaErrors.getCauses().forEach(errors.getCauses()::add);
    if (schemaErrors.getCauses().stream()
        .noneMatch(c -> RULE_BLOCKING_REASONS.contains(c.reason()))) {
      new CustomRules(errors).checkRules(subject);
    } else if (CustomRules.hasRules(schema)) {
      errors.addInvalid(
          "<nil>",
          JsonNull.INSTANCE,
          "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation");
    }
  }

  private void validateValue(CustomValue subject) {
    if (subject.isUnchanged()) {
      return;
    }
    JsonObject schema = subject.schema();
    if (subject.value().isJsonNull()) {
      if (!flagAt(schema, "nullable") && !textAt(schema, "type").isEmpty()) {
        reportType(subject.path(), "null", textAt(schema, "type"));
      }
      return;
    }
    if (!hasType(subject.value(), schema)) {
      reportOtherType(subject);
    }
    if (valueAt(schema, "enum") instanceof JsonArray allowed
        && !allowed.contains(subject.value())) {
      errors.addNotSupported(
          subject.path(),
          FieldErrors.toShownValue(subject.value()),
          allowed.asList().stream().map(e -> String.valueOf(FieldErrors.toShownValue(e))).toList());
    }
    switch (subject.value()) {
      case JsonObject object -> validateObject(object, subject);
      case JsonArray list -> validateList(list, subject);
      case JsonPrimitive primitive when primitive.isString() ->
          validateString(primitive.getAsString(), schema, subject.path());
      case JsonPrimitive primitive when primitive.isNumber() ->
          validateNumber(primitive, schema, subject.path());
      default -> {
        // booleans have no further checks
      }
    }
    validateCombinations(subject);
  }

  private void reportOtherType(CustomValue subject) {
    JsonElement value = subject.value();
    JsonObject schema = subject.schema();
    boolean isIntOrString = flagAt(schema, "x-kubernetes-int-or-string");
    boolean reportsFormat =
        !textAt(schema, "format").isEmpty()
            && !value.isJsonArray()
            && !getTypeName(value).equals("string");
    if (reportsFormat) {
      reportType(
          subject.path(),
          value instanceof JsonPrimitive p ? getNumberFormat(p) : "",
          textAt(schema, "format"));
    } else {
      reportType(
          subject.path(),
          getTypeName(value),
          isIntOrString ? "integer,string" : textAt(schema, "type"));
    }
    if (textAt(schema, "type").equals("integer") && getTypeName(value).equals("number")) {
      addErrorWithoutField(
          "Checked value must be of type integer (default format) in " + subject.path());
    }
  }

  // Returns the format of a number in Go; "" for other values.
  private static String getNumberFormat(JsonPrimitive primitive) {
    return !primitive.isNumber()
        ? ""
        : getTypeName(primitive).equals("integer") ? "int64" : "float64";
  }

  private void addErrorWithoutField(String message) {
    errors.addInvalid("<nil>", "", message);
  }

  private static List<FieldErrors> validateBranches(CustomValue subject, String name) {
    List<FieldErrors> branchErrors = new ArrayList<>();
    if (valueAt(subject.schema(), name) instanceof JsonArray branches) {
      for (JsonElement branch : branches) {
        branchErrors.add(validateBranch(subject, branch.getAsJsonObject()));
      }
    }
    return branchErrors;
  }

  private static FieldErrors validateBranch(CustomValue subject, JsonObject schema) {
    FieldErrors branchErrors = new FieldErrors();
    new CustomValidation(branchErrors).validateValue(subject.withSchema(schema));
    return branchErrors;
  }

  private void validateCombinations(CustomValue subject) {
    String quoted = "\"" + subject.path() + "\"";
    List<FieldErrors> anyOfErrors = validateBranches(subject, "anyOf");
    if (!anyOfErrors.isEmpty() && anyOfErrors.stream().noneMatch(FieldErrors::isEmpty)) {
      addErrorWithoutField(quoted + " must validate at least one schema (anyOf)");
      anyOfErrors.getFirst().getCauses().forEach(errors.getCauses()::add);
    }
    List<FieldErrors> oneOfErrors = validateBranches(subject, "oneOf");
    long validCount = oneOfErrors.stream().filter(FieldErrors::isEmpty).count();
    if (!oneOfErrors.isEmpty() && validCount != 1) {
      String foundText = validCount == 0 ? "none valid" : validCount + " valid alternatives";
      addErrorWithoutField(
          quoted + " must validate one and only one schema (oneOf). Found " + foundText);
      if (validCount == 0) {
        oneOfErrors.getFirst().getCauses().forEach(errors.getCauses()::add);
      }
    }
    List<FieldErrors> allOfErrors = validateBranches(subject, "allOf");
    if (allOfErrors.stream().anyMatch(c -> !c.isEmpty())) {
      allOfErrors.forEach(c -> c.getCauses().forEach(errors.getCauses()::add));
      boolean isNoneValid = allOfErrors.stream().noneMatch(FieldErrors::isEmpty);
      addErrorWithoutField(
          quoted
              + " must validate all the schemas (allOf)"
              + (isNoneValid ? ". None validated" : ""));
    }
    if (valueAt(subject.schema(), "not") instanceof JsonObject notSchema
        && validateBranch(subject, notSchema).isEmpty()) {
      addErrorWithoutField(quoted + " must not validate the schema (not)");
    }
  }

  private void reportType(String path, String actual, String expected) {
    errors
        .getCauses()
        .add(
            new StatusException.StatusCause(
                "FieldValueTypeInvalid",
                "Invalid value: \"%s\": %s in body must be of type %s: \"%s\""
                    .formatted(actual, path, expected, actual),
                path));
  }

  /** Returns whether the value has the schema's type; without a type every value has it. */
  static boolean hasType(JsonElement value, JsonObject schema) {
    JsonPrimitive primitive = value instanceof JsonPrimitive p ? p : null;
    boolean isInteger =
        primitive != null
            && primitive.isNumber()
            && primitive.getAsDouble() == Math.rint(primitive.getAsDouble());
    if (flagAt(schema, "x-kubernetes-int-or-string")) {
      return primitive != null && (primitive.isString() || isInteger);
    }
    return switch (textAt(schema, "type")) {
      case "object" -> value.isJsonObject();
      case "array" -> value.isJsonArray();
      case "string" -> primitive != null && primitive.isString();
      case "boolean" -> primitive != null && primitive.isBoolean();
      case "integer" -> isInteger;
      case "number" -> primitive != null && primitive.isNumber();
      case "" -> true;
      default -> false; // no such type exists
    };
  }

  /** Returns OpenAPI's name of the value's type. */
  static String getTypeName(JsonElement value) {
    if (value.isJsonObject()) {
      return "object";
    }
    if (value.isJsonArray()) {
      return "array";
    }
    JsonPrimitive primitive = value.getAsJsonPrimitive();
    if (primitive.isString()) {
      return "string";
    }
    return primitive.isBoolean()
        ? "boolean"
        : primitive.getAsDouble() == Math.rint(primitive.getAsDouble()) ? "integer" : "number";
  }

  private void validateObject(JsonObject object, CustomValue subject) {
    JsonObject schema = subject.schema();
    for (String name : stringsAt(schema, "required")) {
      if (!object.has(name)) {
        errors.addRequired(subject.getPath(name), "");
      }
    }
    if (flagAt(schema, CustomSchema.EMBEDDED)) {
      for (String name : List.of("apiVersion", "kind")) {
        if (textAt(object, name).isEmpty()) {
          errors.addRequired(subject.getPath(name), "");
        }
      }
    }
    validateSize(subject, object.size(), "Properties");
    subject.getMembers().forEach(this::validateValue);
  }

  private void validateSize(CustomValue subject, int size, String unit) {
    JsonElement maximum = valueAt(subject.schema(), "max" + unit);
    if (maximum != null && size > maximum.getAsInt()) {
      errors.addTooMany(subject.path(), size, maximum.getAsInt());
    }
    JsonElement minimum = valueAt(subject.schema(), "min" + unit);
    if (minimum != null && size < minimum.getAsInt()) {
      String unitText = unit.toLowerCase(Locale.ROOT);
      errors.addInvalid(
          subject.path(),
          size,
          subject.path() + " in body should have at least " + minimum + " " + unitText);
    }
  }

  private void validateList(JsonArray list, CustomValue subject) {
    validateSize(subject, list.size(), "Items");
    List<String> keys = stringsAt(subject.schema(), "x-kubernetes-list-map-keys");
    boolean isSet = textAt(subject.schema(), "x-kubernetes-list-type").equals("set");
    List<CustomValue> elements = subject.getElements();
    Set<JsonElement> uniqueElements = new HashSet<>();
    for (int i = 0; i < list.size(); i++) {
      JsonElement element = list.get(i);
      if (isSet && !uniqueElements.add(element)) {
        errors.addDuplicate(subject.getPath(i), FieldErrors.toShownValue(element));
      } else if (!keys.isEmpty() && element instanceof JsonObject object) {
        JsonObject key = new JsonObject();
        keys.forEach(k -> key.add(k, object.get(k)));
        if (!uniqueElements.add(key)) {
          errors.addDuplicate(subject.getPath(i), key);
        }
      }
      if (!elements.isEmpty()) {
        validateValue(elements.get(i));
      }
    }
  }

  private void validateString(String value, JsonObject schema, String path) {
    int length = value.codePointCount(0, value.length());
    JsonElement maxLength = valueAt(schema, "maxLength");
    JsonElement minLength = valueAt(schema, "minLength");
    if (maxLength != null && length > maxLength.getAsLong()) {
      errors.addTooLong(path, maxLength.getAsInt());
      return;
    }
    if (minLength != null && length < minLength.getAsLong()) {
      errors.addInvalid(
          path, value, path + " in body should be at least " + minLength + " chars long");
    }
    String pattern = textAt(schema, "pattern");
    if (!pattern.isEmpty() && !Pattern.compile(pattern).matcher(value).find()) {
      errors.addInvalid(path, value, path + " in body should match '" + pattern + "'");
    }
    String format = textAt(schema, "format");
    if (!StringFormats.isValid(format, value)) {
      reportType(path, value, format);
    }
  }

  private void validateNumber(JsonPrimitive value, JsonObject schema, String path) {
    JsonElement divisor = valueAt(schema, "multipleOf");
    if (divisor != null
        && value.getAsBigDecimal().remainder(divisor.getAsBigDecimal()).signum() != 0) {
      errors.addInvalid(path, value, path + " in body should be a multiple of " + divisor);
    }
    if (textAt(schema, "format").equals("int32")
        && value.getAsBigDecimal().abs().compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) > 0) {
      addErrorWithoutField("Checked value must be of type integer with format int32 in " + path);
    }
    validateBounds(value, schema, path);
  }

  private void validateBounds(JsonPrimitive value, JsonObject schema, String path) {
    JsonElement minimum = valueAt(schema, "minimum");
    boolean isMinimumExcluded = flagAt(schema, "exclusiveMinimum");
    if (minimum != null) {
      int order = value.getAsBigDecimal().compareTo(minimum.getAsBigDecimal());
      if (order < 0 || isMinimumExcluded && order == 0) {
        errors.addInvalid(
            path,
            value,
            path
                + " in body should be greater than "
                + (isMinimumExcluded ? "" : "or equal to ")
                + minimum);
      }
    }
    JsonElement maximum = valueAt(schema, "maximum");
    boolean isMaximumExcluded = flagAt(schema, "exclusiveMaximum");
    if (maximum != null) {
      int order = value.getAsBigDecimal().compareTo(maximum.getAsBigDecimal());
      if (order > 0 || isMaximumExcluded && order == 0) {
        errors.addInvalid(
            path,
            value,
            path
                + " in body should be less than "
                + (isMaximumExcluded ? "" : "or equal to ")
                + maximum);
      }
    }
  }
}
