package dev.mooring.apiserver.kinds;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.flag;
import static dev.mooring.apiserver.codec.JsonBodies.strings;
import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What of a CustomResourceDefinition is not its names and schemas. */
final class DefinitionParts {
  private static final String APPROVAL = "api-approved.kubernetes.io";
  private static final int LONGEST_WARNING = 256;

  private DefinitionParts() {}

  /** What is wrong with a definition as a whole. */
  static void validate(JsonObject object, FieldErrors causes) {
    conversion(object, causes);
    approval(object, causes);
    if (flag(object.getAsJsonObject("spec"), "preserveUnknownFields")) {
      if (hasDefaults(object)) {
        causes.invalid(
            "spec.preserveUnknownFields",
            true,
            "must be false in order to use defaults in the schema");
      }
      causes.invalid(
          "spec.preserveUnknownFields",
          true,
          "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in"
              + " spec.versions[*].schema instead");
    }
  }

  private static boolean hasDefaults(JsonObject definition) {
    return DefinitionStrategy.versions(definition).stream()
        .anyMatch(version -> hasDefault(at(version, "schema", "openAPIV3Schema")));
  }

  private static boolean hasDefault(@Nullable JsonElement node) {
    if (!(node instanceof JsonObject schema)) {
      return false;
    }
    JsonElement own = schema.get("default");
    return own != null && !own.isJsonNull()
        || Stream.of("items", "additionalProperties").anyMatch(m -> hasDefault(schema.get(m)))
        || schema.get("properties") instanceof JsonObject properties
            && properties.asMap().values().stream().anyMatch(DefinitionParts::hasDefault);
  }

  /** What is wrong with a version. */
  static void version(JsonObject version, String path, int index, FieldErrors causes) {
    warning(version, "spec.versions[" + index + "].deprecationWarning", causes);
    if (at(version, "subresources", "scale") instanceof JsonObject scale) {
      scale(scale, path + ".subresources.scale", causes);
    }
    if (at(version, "selectableFields") instanceof JsonArray fields) {
      if (at(version, "schema", "openAPIV3Schema") instanceof JsonObject schema) {
        selectable(fields, schema, path + ".selectableFields", causes);
      } else if (!fields.isEmpty()) {
        causes.invalid(
            path + ".selectableFields", "", "may only be set when validations.schema is included");
      }
    }
  }

  private static void warning(JsonObject version, String field, FieldErrors causes) {
    JsonElement said = at(version, "deprecationWarning");
    if (said == null) {
      return;
    }
    String text = said.getAsString();
    if (!flag(version, "deprecated")) {
      causes.invalid(field, text, "can only be set for deprecated versions");
    }
    for (int i = 0; i < text.length(); i++) {
      if (Character.isISOControl(text.charAt(i))) {
        causes.invalid(
            field,
            text,
            "must only contain printable UTF-8 characters; non-printable character found at index "
                + i);
        return;
      }
    }
    if (text.isEmpty()) {
      causes.invalid(field, text, "must not be empty");
    } else if (text.length() > LONGEST_WARNING) {
      causes.invalid(field, text, "must be <= 256 characters");
    }
  }

  private static void scale(JsonObject scale, String field, FieldErrors causes) {
    path(scale, "specReplicasPath", field, List.of(".spec"), causes);
    path(scale, "statusReplicasPath", field, List.of(".status"), causes);
    if (at(scale, "labelSelectorPath") != null && !text(scale, "labelSelectorPath").isEmpty()) {
      path(scale, "labelSelectorPath", field, List.of(".spec", ".status"), causes);
    }
  }

  private static void path(
      JsonObject scale, String name, String field, List<String> below, FieldErrors causes) {
    String path = text(scale, name);
    if (path.isEmpty()) {
      causes.required(field + "." + name, "");
    } else if (!path.startsWith(".")) {
      causes.invalid(field + "." + name, path, "must be a simple json path starting with .");
    } else if (below.stream().noneMatch(b -> path.startsWith(b + "."))) {
      String where =
          below.size() == 1 ? "under " + below.getFirst() : "under either .spec or .status";
      causes.invalid(field + "." + name, path, "should be a json path " + where);
    }
  }

  private static void selectable(
      JsonArray fields, JsonObject schema, String path, FieldErrors causes) {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < fields.size(); i++) {
      String jsonPath = text(fields.get(i).getAsJsonObject(), "jsonPath");
      String field = path + "[" + i + "].jsonPath";
      if (jsonPath.isEmpty()) {
        causes.required(field, "");
        continue;
      }
      if (!jsonPath.startsWith(".")) {
        String first = jsonPath.split("[.\\[]")[0];
        causes.invalid(field, jsonPath, "is an invalid path: expected [ or . but got: " + first);
        continue;
      }
      JsonElement found = schema;
      for (String name : jsonPath.substring(1).split("\\.")) {
        found =
            found instanceof JsonObject o && !isMetadata(o, name, schema)
                ? at(o, "properties", name)
                : null;
      }
      if (!(found instanceof JsonObject type)) {
        causes.invalid(field, jsonPath, "is an invalid path: does not refer to a valid field");
      } else if (!List.of("string", "boolean", "integer").contains(text(type, "type"))) {
        causes.invalid(
            field,
            jsonPath,
            "must point to a field of type string, boolean or integer. Enum string fields and"
                + " strings with formats are allowed.");
      }
      if (!seen.add(jsonPath)) {
        causes.duplicate(field, jsonPath);
      }
    }
  }

  private static boolean isMetadata(JsonObject schema, String name, JsonObject root) {
    return schema == root && name.equals("metadata");
  }

  private static void conversion(JsonObject object, FieldErrors causes) {
    String path = "spec.conversion";
    if (!(at(object, "spec", "conversion") instanceof JsonObject conversion)) {
      return;
    }
    String strategy = text(conversion, "strategy");
    List<String> versions = strings(conversion, "webhook", "conversionReviewVersions");
    if (strategy.isEmpty()) {
      causes.required(path + ".strategy", "");
    } else if (!List.of("None", "Webhook").contains(strategy)) {
      causes.notSupported(path + ".strategy", strategy, List.of("None", "Webhook"));
    }
    if (!strategy.equals("Webhook")) {
      if (!versions.isEmpty()) {
        causes.forbidden(
            path + ".conversionReviewVersions",
            "should not be set when strategy is not set to Webhook");
      }
      if (at(conversion, "webhook", "clientConfig") != null) {
        causes.forbidden(
            path + ".webhookClientConfig", "should not be set when strategy is not set to Webhook");
      }
      return;
    }
    client(at(conversion, "webhook", "clientConfig"), path + ".webhookClientConfig", causes);
    if (versions.isEmpty()) {
      causes.required(path + ".conversionReviewVersions", "");
    } else if (!versions.contains("v1") && !versions.contains("v1beta1")) {
      causes.invalid(
          path + ".conversionReviewVersions",
          FieldErrors.value(at(conversion, "webhook", "conversionReviewVersions")),
          "must include at least one of v1, v1beta1");
    }
  }

  private static void client(@Nullable JsonElement config, String field, FieldErrors causes) {
    if (!(config instanceof JsonObject client)) {
      causes.required(field, "required when strategy is set to Webhook");
      return;
    }
    String url = text(client, "url");
    if (url.isEmpty() == (at(client, "service") == null)) {
      causes.required(field, "exactly one of url or service is required");
    } else if (!url.isEmpty() && !url.startsWith("https://")) {
      String scheme = url.contains(":") ? url.substring(0, url.indexOf(':')) : "";
      causes.invalid(
          field + ".url",
          scheme,
          "'https' is the only allowed URL scheme; desired format: https://host[/path]");
    }
  }

  private static void approval(JsonObject object, FieldErrors causes) {
    String group = text(object, "spec", "group");
    if (!group.endsWith(".k8s.io") && !group.endsWith(".kubernetes.io")) {
      return;
    }
    String field = "metadata.annotations[" + APPROVAL + "]";
    String see = ", see https://github.com/kubernetes/enhancements/pull/1111";
    String need = "protected groups must have approval annotation \"" + APPROVAL + "\"";
    String said = text(object, "metadata", "annotations", APPROVAL);
    if (said.isEmpty()) {
      causes.required(field, need + see);
    } else if (!said.startsWith("unapproved") && !said.contains("://")) {
      causes.invalid(
          field, said, need + " with either a URL or a reason starting with \"unapproved\"" + see);
    }
  }
}
