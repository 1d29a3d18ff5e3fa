package dev.mooring.apiserver.kinds.custom;

import static dev.mooring.apiserver.codec.JsonBodies.flagAt;
import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.newObject;
import static dev.mooring.apiserver.codec.JsonBodies.stringsAt;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.model.KindStrategy;
import dev.mooring.apiserver.kinds.rules.ObjectNames;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;

public final class DefinitionStrategy implements KindStrategy {
  @Override
  public MetadataChecks getMetadataChecks() {
    return MetadataChecks.CHANGE_ONLY;
  }

  private static final List<String> COLUMN_TYPES =
      List.of("boolean", "date", "integer", "number", "string");

  private static final List<String> COLUMN_FORMATS =
      List.of("byte", "date", "date-time", "double", "float", "int32", "int64", "password");

  @Override
  public void setDefaults(JsonObject object) {
    if (stringsAt(object, "status", "storedVersions").isEmpty()) {
      addStoredVersion(object);
    }
    JsonObject spec = getOrAddChild(object, "spec");
    JsonObject names = getOrAddChild(spec, "names");
    String kind = textAt(names, "kind");
    if (textAt(names, "singular").isEmpty() && !kind.isEmpty()) {
      names.addProperty("singular", kind.toLowerCase(Locale.ROOT));
    }
    if (textAt(names, "listKind").isEmpty() && !kind.isEmpty()) {
      names.addProperty("listKind", kind + "List");
    }
    JsonObject conversion = getOrAddChild(spec, "conversion");
    if (conversion.isEmpty()) {
      conversion.addProperty("strategy", "None");
    }
  }

  static List<JsonObject> getVersions(JsonObject object) {
    List<JsonObject> versions = new ArrayList<>();
    if (valueAt(object, "spec", "versions") instanceof JsonArray list) {
      list.forEach(v -> versions.add(v.getAsJsonObject()));
    }
    return versions;
  }

  @Override
  public void prepareCreate(JsonObject object) {
    getOrAddChild(object, "metadata").addProperty("generation", 1);
    JsonObject status = newObject("conditions", JsonNull.INSTANCE);
    status.add("acceptedNames", newObject("plural", "", "kind", ""));
    object.add("status", status);
    addStoredVersion(object);
  }

  private static void addStoredVersion(JsonObject object) {
    JsonObject status = getOrAddChild(object, "status");
    List<String> storedVersions = stringsAt(status, "storedVersions");
    for (JsonObject version : getVersions(object)) {
      if (flagAt(version, "storage") && !storedVersions.contains(textAt(version, "name"))) {
        storedVersions.add(textAt(version, "name"));
        break;
      }
    }
    JsonArray list = new JsonArray();
    storedVersions.forEach(list::add);
    status.add("storedVersions", list.isEmpty() ? JsonNull.INSTANCE : list);
  }

  @Override
  public void prepareUpdate(JsonObject object, JsonObject old) {
    JsonElement oldGeneration = valueAt(old, "metadata", "generation");
    if (!Objects.equals(object.get("spec"), old.get("spec"))) {
      getOrAddChild(object, "metadata")
          .addProperty("generation", oldGeneration == null ? 1 : oldGeneration.getAsLong() + 1);
    }
    addStoredVersion(object);
  }

  @Override
  public void validate(JsonObject object, FieldErrors errors) {
    String group = textAt(object, "spec", "group");
    String plural = textAt(object, "spec", "names", "plural");
    String name = textAt(object, "metadata", "name");
    if (!name.equals(plural + "." + group)) {
      errors.addInvalid("metadata.name", name, "must be spec.names.plural+\".\"+spec.group");
    }
    validateContent(object, errors);
  }

  private static void validateContent(JsonObject object, FieldErrors errors) {
    String group = textAt(object, "spec", "group");
    if (group.isEmpty()) {
      errors.addRequired("spec.group", "");
    } else if (!ObjectNames.isSubdomain(group)) {
      errors.addInvalid("spec.group", group, ObjectNames.SUBDOMAIN_RULE);
    } else if (!group.contains(".")) {
      errors.addInvalid("spec.group", group, "should be a domain with at least one dot");
    }
    String scope = textAt(object, "spec", "scope");
    if (scope.isEmpty()) {
      errors.addRequired("spec.scope", "");
    } else if (!List.of("Cluster", "Namespaced").contains(scope)) {
      errors.addNotSupported("spec.scope", scope, List.of("Cluster", "Namespaced"));
    }
    validateNames(object, errors);
    List<JsonObject> versions = getVersions(object);
    List<JsonObject> storageVersions = versions.stream().filter(v -> flagAt(v, "storage")).toList();
    if (storageVersions.size() != 1) {
      errors.addInvalid(
          "spec.versions",
          Objects.requireNonNullElse(valueAt(object, "spec", "versions"), new JsonArray()),
          "must have exactly one version marked as storage version");
    }
    validateVersions(object, versions, errors);
    DefinitionRules.validate(object, errors);
    validateStoredVersions(object, storageVersions, errors);
  }

  private static void validateVersions(
      JsonObject object, List<JsonObject> versions, FieldErrors errors) {
    boolean isSingleVersion = versions.size() == 1;
    Set<String> versionNames = new HashSet<>();
    for (int i = 0; i < versions.size(); i++) {
      validateVersion(
          versions.get(i),
          isSingleVersion ? "spec" : "spec.versions[" + i + "]",
          i,
          isSingleVersion,
          errors);
      if (!versionNames.add(textAt(versions.get(i), "name"))) {
        errors.addInvalid(
            "spec.versions",
            FieldErrors.toShownValue(valueAt(object, "spec", "versions")),
            "must contain unique version names");
      }
    }
  }

  private static void validateNames(JsonObject object, FieldErrors errors) {
    JsonObject names = getOrAddChild(object, "spec", "names");
    for (String field : List.of("plural", "singular", "kind", "listKind")) {
      String value = textAt(names, field);
      String path = "spec.names." + field;
      if (value.isEmpty()) {
        errors.addRequired(path, "");
      } else if (!ObjectNames.isDns1035(value.toLowerCase(Locale.ROOT))
          || field.endsWith("r") && !value.equals(value.toLowerCase(Locale.ROOT))
          || field.equals("plural") && !value.equals(value.toLowerCase(Locale.ROOT))) {
        errors.addInvalid(path, value, ObjectNames.DNS1035_RULE);
      }
    }
    if (!textAt(names, "kind").isEmpty()
        && textAt(names, "kind").equals(textAt(names, "listKind"))) {
      errors.addInvalid(
          "spec.names.listKind",
          textAt(names, "listKind"),
          "kind and listKind may not be the same");
    }
    List<String> shortNames = stringsAt(names, "shortNames");
    for (int i = 0; i < shortNames.size(); i++) {
      if (!ObjectNames.isDns1035(shortNames.get(i))) {
        errors.addInvalid(
            "spec.names.shortNames[" + i + "]", shortNames.get(i), ObjectNames.DNS1035_RULE);
      }
    }
    List<String> categories = stringsAt(names, "categories");
    for (int i = 0; i < categories.size(); i++) {
      if (!ObjectNames.isDns1035(categories.get(i))) {
        errors.addInvalid(
            "spec.names.categories[" + i + "]", categories.get(i), ObjectNames.DNS1035_RULE);
      }
    }
  }

  private static void validateStoredVersions(
      JsonObject object, List<JsonObject> storageVersions, FieldErrors errors) {
    List<String> storedVersions = stringsAt(object, "status", "storedVersions");
    if (storedVersions.isEmpty()) {
      errors.addInvalid(
          "status.storedVersions", JsonNull.INSTANCE, "must have at least one stored version");
      return;
    }
    List<String> versionNames = getVersions(object).stream().map(v -> textAt(v, "name")).toList();
    for (int i = 0; i < storedVersions.size(); i++) {
      String version = storedVersions.get(i);
      if (!versionNames.contains(version)) {
        errors.addInvalid(
            "status.storedVersions[" + i + "]",
            version,
            "missing from spec.versions; %s was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in %s and removes %s from status.storedVersions"
                .formatted(version, version, version));
      }
    }
    List<String> remainingVersions = new ArrayList<>(storedVersions);
    for (JsonObject version : storageVersions) {
      // reports all versions with the same name except one
      if (!remainingVersions.remove(textAt(version, "name"))) {
        errors.addInvalid(
            "status.storedVersions",
            FieldErrors.toShownValue(valueAt(object, "status", "storedVersions")),
            "must have the storage version " + textAt(version, "name"));
      }
    }
  }

  private static void validateVersion(
      JsonObject version, String path, int index, boolean isSingleVersion, FieldErrors errors) {
    String name = textAt(version, "name");
    if (!ObjectNames.isDns1035(name)) {
      errors.addInvalid("spec.versions[" + index + "].name", name, ObjectNames.DNS1035_RULE);
      if (isSingleVersion && !name.isEmpty()) {
        errors.addInvalid("spec.version", name, ObjectNames.DNS1035_RULE);
      }
    }
    DefinitionRules.validateVersion(version, path, index, errors);
    JsonElement schema = valueAt(version, "schema", "openAPIV3Schema");
    if (!(schema instanceof JsonObject root)) {
      errors.addRequired("spec.versions[" + index + "].schema.openAPIV3Schema", "");
    } else {
      String field =
          isSingleVersion ? "spec.validation.openAPIV3Schema" : path + ".schema.openAPIV3Schema";
      String type = textAt(root, "type");
      if (type.isEmpty()) {
        errors.addRequired(field + ".type", "must not be empty at the root");
      } else if (!type.equals("object")) {
        errors.addInvalid(field + ".type", type, "must be object at the root");
        if (valueAt(version, "subresources", "status") != null) {
          errors.addInvalid(
              field + ".type",
              type,
              "only \"object\" is allowed as the type at the root of the schema if the status subresource is enabled");
        }
      }
      SchemaRules.validate(root, field, errors);
    }
    validateColumns(version, path, errors);
  }

  private static void validateColumns(JsonObject version, String path, FieldErrors errors) {
    if (!(valueAt(version, "additionalPrinterColumns") instanceof JsonArray columns)) {
      return;
    }
    for (int i = 0; i < columns.size(); i++) {
      JsonObject column = columns.get(i).getAsJsonObject();
      String field = path + ".additionalPrinterColumns[" + i + "]";
      if (textAt(column, "name").isEmpty()) {
        errors.addRequired(field + ".name", "");
      }
      String type = textAt(column, "type");
      if (type.isEmpty()) {
        errors.addRequired(field + ".type", "must be one of " + String.join(",", COLUMN_TYPES));
      } else if (!COLUMN_TYPES.contains(type)) {
        errors.addInvalid(
            field + ".type", type, "must be one of " + String.join(",", COLUMN_TYPES));
      }
      String format = textAt(column, "format");
      if (!format.isEmpty() && !COLUMN_FORMATS.contains(format)) {
        errors.addInvalid(
            field + ".format", format, "must be one of " + String.join(",", COLUMN_FORMATS));
      }
      String jsonPath = textAt(column, "jsonPath");
      if (jsonPath.isEmpty()) {
        errors.addRequired(field + ".JSONPath", "");
      } else if (!jsonPath.startsWith(".")) {
        errors.addInvalid(
            field + ".JSONPath", jsonPath, "must be a simple json path starting with .");
      }
    }
  }

  @Override
  public void validateUpdate(JsonObject object, JsonObject old, FieldErrors errors) {
    validateContent(object, errors);
    boolean isEstablished = false;
    if (valueAt(old, "status", "conditions") instanceof JsonArray conditions) {
      for (JsonElement condition : conditions) {
        isEstablished |=
            textAt(condition.getAsJsonObject(), "type").equals("Established")
                && textAt(condition.getAsJsonObject(), "status").equals("True");
      }
    }
    if (isEstablished) {
      for (String[] field :
          new String[][] {{"scope"}, {"names", "kind"}, {"names", "plural"}, {"group"}}) {
        String newValue =
            field.length == 1
                ? textAt(object, "spec", field[0])
                : textAt(object, "spec", field[0], field[1]);
        String oldValue =
            field.length == 1
                ? textAt(old, "spec", field[0])
                : textAt(old, "spec", field[0], field[1]);
        if (!newValue.equals(oldValue)) {
          errors.addImmutable("spec." + String.join(".", field), newValue);
        }
      }
    }
  }

  @Override
  public List<String> findWarnings(JsonObject object) {
    List<String> warnings = new ArrayList<>();
    for (JsonObject version : getVersions(object)) {
      if (valueAt(version, "schema", "openAPIV3Schema") instanceof JsonObject root) {
        SchemaRules.addFormatWarnings(root, warnings);
      }
    }
    return warnings;
  }
}
