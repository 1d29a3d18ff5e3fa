package dev.mooring.apiserver.kinds.custom;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.flag;
import static dev.mooring.apiserver.codec.JsonBodies.strings;
import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.model.ApiVersions;
import dev.mooring.apiserver.kinds.model.CustomSchema;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.ResourceType.ResourceTraits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

public final class CustomTypes {
  private CustomTypes() {}

  /** Returns the served versions of a definition, the preferred one first. */
  public static List<ResourceType> findServedTypes(JsonObject definition) {
    List<ResourceType> types = new ArrayList<>();
    for (JsonObject version : DefinitionStrategy.getVersions(definition)) {
      if (flag(version, "served")) {
        types.add(makeType(definition, version));
      }
    }
    types.sort((a, b) -> ApiVersions.compare(b.version(), a.version()));
    return types;
  }

  private static JsonObject getSchema(JsonObject version) {
    return at(version, "schema", "openAPIV3Schema") instanceof JsonObject s ? s : new JsonObject();
  }

  private static CustomSchema makeSchema(JsonObject definition, JsonObject version) {
    JsonObject storage =
        DefinitionStrategy.getVersions(definition).stream()
            .filter(v -> flag(v, "storage"))
            .findFirst()
            .map(CustomTypes::getSchema)
            .orElseGet(JsonObject::new);
    boolean hasStatus = at(version, "subresources", "status") != null;
    List<String> versionNames =
        DefinitionStrategy.getVersions(definition).stream().map(v -> text(v, "name")).toList();
    return new CustomSchema(
        getSchema(version), text(version, "name"), hasStatus, storage, versionNames);
  }

  private static ResourceType makeType(JsonObject definition, JsonObject version) {
    CustomSchema schema = makeSchema(definition, version);
    JsonObject names = definition.getAsJsonObject("spec").getAsJsonObject("names");
    List<String> subresources = new ArrayList<>();
    JsonElement scale = at(version, "subresources", "scale");
    if (scale != null) {
      subresources.add("scale");
    }
    if (schema.hasStatus()) {
      subresources.add("status");
    }
    String group = text(definition, "spec", "group");
    String kind = text(names, "kind");
    ResourceType.ResourceExtras extras =
        new ResourceType.ResourceExtras(
            scale instanceof JsonObject s
                ? new ResourceType.ScalePaths(
                    parsePath(s, "specReplicasPath"),
                    parsePath(s, "statusReplicasPath"),
                    parsePath(s, "labelSelectorPath"))
                : ResourceType.ScalePaths.DEFAULT,
            formatDeprecation(definition, version, group, kind),
            strings(names, "categories"),
            Optional.of(schema));
    return new ResourceType(
        group,
        text(version, "name"),
        text(names, "plural"),
        text(names, "singular"),
        kind,
        text(definition, "spec", "scope").equals("Namespaced"),
        strings(names, "shortNames"),
        subresources,
        "CustomResource",
        new ResourceTraits(true, false, false, ""),
        new CustomStrategy(schema, version),
        extras);
  }

  private static List<String> parsePath(JsonObject scale, String field) {
    String path = text(scale, field);
    return path.isEmpty() ? List.of() : Arrays.asList(path.substring(1).split("\\."));
  }

  private static String formatDeprecation(
      JsonObject definition, JsonObject version, String group, String kind) {
    if (!flag(version, "deprecated")) {
      return "";
    }
    String warning = text(version, "deprecationWarning");
    if (!warning.isEmpty()) {
      return warning;
    }
    String standardWarning = group + "/" + text(version, "name") + " " + kind + " is deprecated";
    return DefinitionStrategy.getVersions(definition).stream()
        .filter(v -> flag(v, "served") && !flag(v, "deprecated"))
        .map(v -> text(v, "name"))
        .filter(v -> ApiVersions.compare(v, text(version, "name")) > 0)
        .max(ApiVersions::compare)
        .map(v -> standardWarning + "; use " + group + "/" + v + " " + kind)
        .orElse(standardWarning);
  }
}
