package dev.mooring.apiserver.kinds.custom;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.flag;
import static dev.mooring.apiserver.codec.JsonBodies.strings;
import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
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
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

final class CustomValidation {
  private static final List<String> BLOCKING =
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
    FieldErrors found = new FieldErrors();
    new CustomValidation(found).validateValue(subject);
    found.all().forEach(errors.all()::add);
    if (found.all().stream().noneMatch(c -> BLOCKING.contains(c.reason()))) {
      new CustomRules(errors).check(subject);
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
      if (!flag(schema, "nullable") && !text(schema, "type").isEmpty()) {
        reportType(subject.path(), "null", text(schema, "type"));
      }
      return;
    }
    if (!hasType(subject.value(), schema)) {
      reportOtherType(subject);
    }
    if (at(schema, "enum") instanceof JsonArray allowed && !allowed.contains(subject.value())) {
      errors.addNotSupported(
          subject.path(),
          FieldErrors.toShownValue(subject.value()),
          allowed.asList().stream().map(e -> String.valueOf(FieldErrors.toShownValue(e))).toList());
    }
    switch (subject.value()) {
      case JsonObject object -> validateObject(object, subject);
      case JsonArray list -> validateList(list, subject);
      case JsonPrimitive one when one.isString() ->
          validateString(one.getAsString(), schema, subject.path());
      case JsonPrimitive one when one.isNumber() -> validateNumber(one, schema, subject.path());
      default -> {
        // booleans have no further checks
      }
    }
    validateLogic(subject);
  }

  private void reportOtherType(CustomValue subject) {
    JsonElement value = subject.value();
    JsonObject schema = subject.schema();
    boolean either = flag(schema, "x-kubernetes-int-or-string");
    boolean formatted =
        !text(schema, "format").isEmpty()
            && !value.isJsonArray()
            && !nameType(value).equals("string");
    if (formatted) {
      reportType(
          subject.path(),
          value instanceof JsonPrimitive p ? nameIntegerWidth(p) : "",
          text(schema, "format"));
    } else {
      reportType(subject.path(), nameType(value), either ? "integer,string" : text(schema, "type"));
    }
    if (text(schema, "type").equals("integer") && nameType(value).equals("number")) {
      addErrorWithoutField(
          "Checked value must be of type integer (default format) in " + subject.path());
    }
  }

  private static String nameIntegerWidth(JsonPrimitive one) {
    return !one.isNumber() ? "" : nameType(one).equals("integer") ? "int64" : "float64";
  }

  private void addErrorWithoutField(String what) {
    errors.addInvalid("<nil>", "", what);
  }

  private static List<FieldErrors> validateBranches(CustomValue subject, String name) {
    List<FieldErrors> all = new ArrayList<>();
    if (at(subject.schema(), name) instanceof JsonArray parts) {
      for (JsonElement part : parts) {
        all.add(validateAgainst(subject, part.getAsJsonObject()));
      }
    }
    return all;
  }

  private static FieldErrors validateAgainst(CustomValue subject, JsonObject schema) {
    FieldErrors found = new FieldErrors();
    new CustomValidation(found).validateValue(subject.withSchema(schema));
    return found;
  }

  private void validateLogic(CustomValue subject) {
    String quoted = "\"" + subject.path() + "\"";
    List<FieldErrors> any = validateBranches(subject, "anyOf");
    if (!any.isEmpty() && any.stream().noneMatch(FieldErrors::isEmpty)) {
      addErrorWithoutField(quoted + " must validate at least one schema (anyOf)");
      any.getFirst().all().forEach(errors.all()::add);
    }
    List<FieldErrors> one = validateBranches(subject, "oneOf");
    long right = one.stream().filter(FieldErrors::isEmpty).count();
    if (!one.isEmpty() && right != 1) {
      String found = right == 0 ? "none valid" : right + " valid alternatives";
      addErrorWithoutField(
          quoted + " must validate one and only one schema (oneOf). Found " + found);
      if (right == 0) {
        one.getFirst().all().forEach(errors.all()::add);
      }
    }
    List<FieldErrors> all = validateBranches(subject, "allOf");
    if (all.stream().anyMatch(c -> !c.isEmpty())) {
      all.forEach(c -> c.all().forEach(errors.all()::add));
      boolean none = all.stream().noneMatch(FieldErrors::isEmpty);
      addErrorWithoutField(
          quoted + " must validate all the schemas (allOf)" + (none ? ". None validated" : ""));
    }
    if (at(subject.schema(), "not") instanceof JsonObject part
        && validateAgainst(subject, part).isEmpty()) {
      addErrorWithoutField(quoted + " must not validate the schema (not)");
    }
  }

  private void reportType(String path, String got, String wanted) {
    errors
        .all()
        .add(
            new StatusException.StatusCause(
                "FieldValueTypeInvalid",
                "Invalid value: \"%s\": %s in body must be of type %s: \"%s\""
                    .formatted(got, path, wanted, got),
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
      default -> false; // no such type exists
    };
  }

  static String nameType(JsonElement value) {
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

  private void validateObject(JsonObject object, CustomValue subject) {
    JsonObject schema = subject.schema();
    for (String name : strings(schema, "required")) {
      if (!object.has(name)) {
        errors.addRequired(subject.getPath(name), "");
      }
    }
    if (flag(schema, CustomSchema.EMBEDDED)) {
      for (String name : List.of("apiVersion", "kind")) {
        if (text(object, name).isEmpty()) {
          errors.addRequired(subject.getPath(name), "");
        }
      }
    }
    validateSize(subject, object.size(), "Properties");
    subject.getMembers().forEach(this::validateValue);
  }

  private void validateSize(CustomValue subject, int size, String of) {
    JsonElement most = at(subject.schema(), "max" + of);
    if (most != null && size > most.getAsInt()) {
      errors.addTooMany(subject.path(), size, most.getAsInt());
    }
    JsonElement least = at(subject.schema(), "min" + of);
    if (least != null && size < least.getAsInt()) {
      String what = of.toLowerCase(Locale.ROOT);
      errors.addInvalid(
          subject.path(),
          size,
          subject.path() + " in body should have at least " + least + " " + what);
    }
  }

  private void validateList(JsonArray list, CustomValue subject) {
    validateSize(subject, list.size(), "Items");
    List<String> keys = strings(subject.schema(), "x-kubernetes-list-map-keys");
    boolean set = text(subject.schema(), "x-kubernetes-list-type").equals("set");
    List<CustomValue> elements = subject.getElements();
    Set<JsonElement> seen = new HashSet<>();
    for (int i = 0; i < list.size(); i++) {
      JsonElement one = list.get(i);
      if (set && !seen.add(one)) {
        errors.addDuplicate(subject.getPath(i), FieldErrors.toShownValue(one));
      } else if (!keys.isEmpty() && one instanceof JsonObject object) {
        JsonObject key = new JsonObject();
        keys.forEach(k -> key.add(k, object.get(k)));
        if (!seen.add(key)) {
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
    JsonElement most = at(schema, "maxLength");
    JsonElement least = at(schema, "minLength");
    if (most != null && length > most.getAsLong()) {
      errors.addTooLong(path, most.getAsInt());
      return;
    }
    if (least != null && length < least.getAsLong()) {
      errors.addInvalid(path, value, path + " in body should be at least " + least + " chars long");
    }
    String pattern = text(schema, "pattern");
    if (!pattern.isEmpty() && !Pattern.compile(pattern).matcher(value).find()) {
      errors.addInvalid(path, value, path + " in body should match '" + pattern + "'");
    }
    String format = text(schema, "format");
    if (!StringFormats.isValid(format, value)) {
      reportType(path, value, format);
    }
  }

  private void validateNumber(JsonPrimitive value, JsonObject schema, String path) {
    JsonElement of = at(schema, "multipleOf");
    if (of != null && value.getAsBigDecimal().remainder(of.getAsBigDecimal()).signum() != 0) {
      errors.addInvalid(path, value, path + " in body should be a multiple of " + of);
    }
    if (text(schema, "format").equals("int32")
        && value.getAsBigDecimal().abs().compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) > 0) {
      addErrorWithoutField("Checked value must be of type integer with format int32 in " + path);
    }
    validateBounds(value, schema, path);
  }

  private void validateBounds(JsonPrimitive value, JsonObject schema, String path) {
    JsonElement least = at(schema, "minimum");
    boolean above = flag(schema, "exclusiveMinimum");
    if (least != null) {
      int order = value.getAsBigDecimal().compareTo(least.getAsBigDecimal());
      if (order < 0 || above && order == 0) {
        errors.addInvalid(
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
        errors.addInvalid(
            path,
            value,
            path + " in body should be less than " + (under ? "" : "or equal to ") + most);
      }
    }
  }
}
