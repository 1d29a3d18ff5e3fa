package dev.mooring.apiserver.kinds.custom;

import static dev.mooring.apiserver.codec.JsonBodies.flagAt;
import static dev.mooring.apiserver.codec.JsonBodies.stringsAt;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

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
import org.jspecify.annotations.Nullable;

public final class CustomTypes {
  private CustomTypes() {}

  /** Returns the served versions of a definition, the preferred one first. */
  public static List<ResourceType> findServedTypes(JsonObject definition) {
    List<ResourceType> types = new ArrayList<>();
    for (JsonObject version : DefinitionStrategy.getVersions(definition)) {
      if (flagAt(version, "served")) {
        types.add(makeType(definition, version));
      }
    }
    types.sort((a, b) -> ApiVersions.compare(b.version(), a.version()));
    return types;
  }

  private static JsonObject getSchema(JsonObject version) {
    return valueAt(version, "schema", "openAPIV3Schema") instanceof JsonObject s
        ? s
        : new JsonObject();
  }

  private static CustomSchema makeSchema(JsonObject definition, JsonObject version) {
    JsonObject storage =
        DefinitionStrategy.getVersions(definition).stream()
            .filter(v -> flagAt(v, "storage"))
            .findFirst()
            .map(CustomTypes::getSchema)
            .orElseGet(JsonObject::new);
    boolean hasStatus = valueAt(version, "subresources", "status") != null;
    List<String> versionNames =
        DefinitionStrategy.getVersions(definition).stream().map(v -> textAt(v, "name")).toList();
    return new CustomSchema(
        getSchema(version), textAt(version, "name"), hasStatus, storage, versionNames);
  }

  private static ResourceType makeType(JsonObject definition, JsonObject version) {
    CustomSchema schema = makeSchema(definition, version);
    JsonObject names = definition.getAsJsonObject("spec").getAsJsonObject("names");
    List<String> subresources = new ArrayList<>();
    JsonElement scale = valueAt(version, "subresources", "scale");
    if (scale != null) {
      subresources.add("scale");
    }
    if (schema.hasStatus()) {
      subresources.add("status");
    }
    String group = textAt(definition, "spec", "group");
    String kind = textAt(names, "kind");
    CustomStrategy strategy = new CustomStrategy(schema, version);
    ResourceType.ResourceExtras extras =
        new ResourceType.ResourceExtras(
            findScalePaths(scale),
            formatDeprecation(definition, version, group, kind),
            stringsAt(names, "categories"),
            "",
            strategy::getColumns,
            Optional.of(schema));
    return new ResourceType(
        group,
        textAt(version, "name"),
        textAt(names, "plural"),
        textAt(names, "singular"),
        kind,
        textAt(definition, "spec", "scope").equals("Namespaced"),
        stringsAt(names, "shortNames"),
        subresources,
        "CustomResource",
        new ResourceTraits(true, false, false, false, ""),
        strategy,
        extras);
  }

  private static ResourceType.ScalePaths findScalePaths(@Nullable JsonElement scale) {
    return scale instanceof JsonObject paths
        ? new ResourceType.ScalePaths(
            parsePath(paths, "specReplicasPath"),
            parsePath(paths, "statusReplicasPath"),
            parsePath(paths, "labelSelectorPath"))
        : ResourceType.ScalePaths.DEFAULT;
  }

  private static List<String> parsePath(JsonObject scale, String field) {
    String path = textAt(scale, field);
    return path.isEmpty() ? List.of() : Arrays.asList(path.substring(1).split("\\."));
  }

  private static String formatDeprecation(
      JsonObject definition, JsonObject version, String group, String kind) {
    if (!flagAt(version, "deprecated")) {
      return "";
    }
    String warning = textAt(version, "deprecationWarning");
    if (!warning.isEmpty()) {
      return warning;
    }
    String standardWarning = group + "/" + textAt(version, "name") + " " + kind + " is deprecated";
    return DefinitionStrategy.getVersions(definition).stream()
        .filter(v -> flagAt(v, "served") && !flagAt(v, "deprecated"))
        .map(v -> textAt(v, "name"))
        .filter(v -> ApiVersions.compare(v, textAt(version, "name")) > 0)
        .max(ApiVersions::compare)
        .map(v -> standardWarning + "; use " + group + "/" + v + " " + kind)
        .orElse(standardWarning);
  }
}
