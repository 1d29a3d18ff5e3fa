package dev.mooring.apiserver.kinds.custom;

import static dev.mooring.apiserver.codec.JsonBodies.flagAt;
import static dev.mooring.apiserver.codec.JsonBodies.stringsAt;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.model.TextSize;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

final class DefinitionRules {
  private static final String APPROVAL_ANNOTATION = "api-approved.kubernetes.io";
  private static final int MAX_WARNING_BYTES = 256;

  private DefinitionRules() {}

  static void validate(JsonObject object, FieldErrors errors) {
    validateConversion(object, errors);
    validateApproval(object, errors);
    if (flagAt(object.getAsJsonObject("spec"), "preserveUnknownFields")) {
      if (hasDefaults(object)) {
        errors.addInvalid(
            "spec.preserveUnknownFields",
            true,
            "must be false in order to use defaults in the schema");
      }
      errors.addInvalid(
          "spec.preserveUnknownFields",
          true,
          "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in"
              + " spec.versions[*].schema instead");
    }
  }

  private static boolean hasDefaults(JsonObject definition) {
    return DefinitionStrategy.getVersions(definition).stream()
        .anyMatch(version -> hasDefault(valueAt(version, "schema", "openAPIV3Schema")));
  }

  private static boolean hasDefault(@Nullable JsonElement node) {
    if (!(node instanceof JsonObject schema)) {
      return false;
    }
    JsonElement defaultValue = schema.get("default");
    return defaultValue != null && !defaultValue.isJsonNull()
        || Stream.of("items", "additionalProperties").anyMatch(m -> hasDefault(schema.get(m)))
        || schema.get("properties") instanceof JsonObject properties
            && properties.asMap().values().stream().anyMatch(DefinitionRules::hasDefault);
  }

  static void validateVersion(JsonObject version, String path, int index, FieldErrors errors) {
    validateWarning(version, "spec.versions[" + index + "].deprecationWarning", errors);
    if (valueAt(version, "subresources", "scale") instanceof JsonObject scale) {
      validateScale(scale, path + ".subresources.scale", errors);
    }
    if (valueAt(version, "selectableFields") instanceof JsonArray fields) {
      if (valueAt(version, "schema", "openAPIV3Schema") instanceof JsonObject schema) {
        validateSelectableFields(fields, schema, path + ".selectableFields", errors);
      } else if (!fields.isEmpty()) {
        errors.addInvalid(
            path + ".selectableFields", "", "may only be set when validations.schema is included");
      }
    }
  }

  private static void validateWarning(JsonObject version, String field, FieldErrors errors) {
    JsonElement warning = valueAt(version, "deprecationWarning");
    if (warning == null) {
      return;
    }
    String text = warning.getAsString();
    if (!flagAt(version, "deprecated")) {
      errors.addInvalid(field, text, "can only be set for deprecated versions");
    }
    for (int i = 0; i < text.length(); i++) {
      if (Character.isISOControl(text.charAt(i))) {
        errors.addInvalid(
            field,
            text,
            "must only contain printable UTF-8 characters; non-printable character found at index "
                + i);
        return;
      }
    }
    if (text.isEmpty()) {
      errors.addInvalid(field, text, "must not be empty");
    } else if (TextSize.countBytes(text) > MAX_WARNING_BYTES) {
      errors.addInvalid(field, text, "must be <= 256 characters");
    }
  }

  private static void validateScale(JsonObject scale, String field, FieldErrors errors) {
    validatePath(scale, "specReplicasPath", field, List.of(".spec"), errors);
    validatePath(scale, "statusReplicasPath", field, List.of(".status"), errors);
    if (valueAt(scale, "labelSelectorPath") != null
        && !textAt(scale, "labelSelectorPath").isEmpty()) {
      validatePath(scale, "labelSelectorPath", field, List.of(".spec", ".status"), errors);
    }
  }

  private static void validatePath(
      JsonObject scale,
      String name,
      String field,
      List<String> allowedParents,
      FieldErrors errors) {
    String path = textAt(scale, name);
    if (path.isEmpty()) {
      errors.addRequired(field + "." + name, "");
    } else if (!path.startsWith(".")) {
      errors.addInvalid(field + "." + name, path, "must be a simple json path starting with .");
    } else if (allowedParents.stream().noneMatch(b -> path.startsWith(b + "."))) {
      String location =
          allowedParents.size() == 1
              ? "under " + allowedParents.getFirst()
              : "under either .spec or .status";
      errors.addInvalid(field + "." + name, path, "should be a json path " + location);
    }
  }

  private static void validateSelectableFields(
      JsonArray fields, JsonObject schema, String path, FieldErrors errors) {
    Set<String> uniquePaths = new HashSet<>();
    for (int i = 0; i < fields.size(); i++) {
      String jsonPath = textAt(fields.get(i).getAsJsonObject(), "jsonPath");
      String field = path + "[" + i + "].jsonPath";
      if (jsonPath.isEmpty()) {
        errors.addRequired(field, "");
        continue;
      }
      if (!jsonPath.startsWith(".")) {
        String first = jsonPath.split("[.\\[]")[0];
        errors.addInvalid(field, jsonPath, "is an invalid path: expected [ or . but got: " + first);
        continue;
      }
      JsonElement fieldSchema = schema;
      for (String name : jsonPath.substring(1).split("\\.")) {
        fieldSchema =
            fieldSchema instanceof JsonObject o && !isMetadata(o, name, schema)
                ? valueAt(o, "properties", name)
                : null;
      }
      if (!(fieldSchema instanceof JsonObject type)) {
        errors.addInvalid(field, jsonPath, "is an invalid path: does not refer to a valid field");
      } else if (!List.of("string", "boolean", "integer").contains(textAt(type, "type"))) {
        errors.addInvalid(
            field,
            jsonPath,
            "must point to a field of type string, boolean or integer. Enum string fields and"
                + " strings with formats are allowed.");
      }
      if (!uniquePaths.add(jsonPath)) {
        errors.addDuplicate(field, jsonPath);
      }
    }
  }

  private static boolean isMetadata(JsonObject schema, String name, JsonObject root) {
    return schema == root && name.equals("metadata");
  }

  private static void validateConversion(JsonObject object, FieldErrors errors) {
    String path = "spec.conversion";
    if (!(valueAt(object, "spec", "conversion") instanceof JsonObject conversion)) {
      return;
    }
    String strategy = textAt(conversion, "strategy");
    List<String> versions = stringsAt(conversion, "webhook", "conversionReviewVersions");
    if (strategy.isEmpty()) {
      errors.addRequired(path + ".strategy", "");
    } else if (!List.of("None", "Webhook").contains(strategy)) {
      errors.addNotSupported(path + ".strategy", strategy, List.of("None", "Webhook"));
    }
    if (!strategy.equals("Webhook")) {
      if (!versions.isEmpty()) {
        errors.addForbidden(
            path + ".conversionReviewVersions",
            "should not be set when strategy is not set to Webhook");
      }
      if (valueAt(conversion, "webhook", "clientConfig") != null) {
        errors.addForbidden(
            path + ".webhookClientConfig", "should not be set when strategy is not set to Webhook");
      }
      return;
    }
    validateClient(
        valueAt(conversion, "webhook", "clientConfig"), path + ".webhookClientConfig", errors);
    if (versions.isEmpty()) {
      errors.addRequired(path + ".conversionReviewVersions", "");
    } else if (!versions.contains("v1") && !versions.contains("v1beta1")) {
      errors.addInvalid(
          path + ".conversionReviewVersions",
          FieldErrors.toShownValue(valueAt(conversion, "webhook", "conversionReviewVersions")),
          "must include at least one of v1, v1beta1");
    }
  }

  private static void validateClient(
      @Nullable JsonElement config, String field, FieldErrors errors) {
    if (!(config instanceof JsonObject client)) {
      errors.addRequired(field, "required when strategy is set to Webhook");
      return;
    }
    String url = textAt(client, "url");
    if (url.isEmpty() == (valueAt(client, "service") == null)) {
      errors.addRequired(field, "exactly one of url or service is required");
    } else if (!url.isEmpty() && !url.startsWith("https://")) {
      String scheme = url.contains(":") ? url.substring(0, url.indexOf(':')) : "";
      errors.addInvalid(
          field + ".url",
          scheme,
          "'https' is the only allowed URL scheme; desired format: https://host[/path]");
    }
  }

  private static void validateApproval(JsonObject object, FieldErrors errors) {
    String group = textAt(object, "spec", "group");
    if (!group.endsWith(".k8s.io") && !group.endsWith(".kubernetes.io")) {
      return;
    }
    String field = "metadata.annotations[" + APPROVAL_ANNOTATION + "]";
    String link = ", see https://github.com/kubernetes/enhancements/pull/1111";
    String requirement =
        "protected groups must have approval annotation \"" + APPROVAL_ANNOTATION + "\"";
    String approval = textAt(object, "metadata", "annotations", APPROVAL_ANNOTATION);
    if (approval.isEmpty()) {
      errors.addRequired(field, requirement + link);
    } else if (!approval.startsWith("unapproved") && !approval.contains("://")) {
      errors.addInvalid(
          field,
          approval,
          requirement + " with either a URL or a reason starting with \"unapproved\"" + link);
    }
  }
}
