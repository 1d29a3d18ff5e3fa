package dev.mooring.apiserver.http.discover;

import static dev.mooring.apiserver.codec.JsonBodies.newArray;
import static dev.mooring.apiserver.codec.JsonBodies.newObject;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.OpenApiProtobuf.OpenApiVersion;
import dev.mooring.apiserver.codec.Schema;
import dev.mooring.apiserver.codec.Schema.MessageField;
import dev.mooring.apiserver.codec.Schema.MessageType;
import dev.mooring.apiserver.http.authorize.ReviewHandler;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

final class OpenApiModels {
  private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";
  private static final Set<String> META_MESSAGES =
      Set.of(
          """
          Condition FieldsV1 LabelSelector LabelSelectorRequirement ListMeta ManagedFieldsEntry
          ObjectMeta OwnerReference
          """
              .split("\\s+"));
  private static final Map<String, String> NAMES = makeNames();

  private final String refPrefix;
  private final boolean isVersion3;
  private final Map<String, JsonObject> models = new TreeMap<>();

  OpenApiModels(OpenApiVersion version) {
    this.isVersion3 = version == OpenApiVersion.V3;
    this.refPrefix = isVersion3 ? "#/components/schemas/" : "#/definitions/";
  }

  JsonObject getModels() {
    JsonObject tree = new JsonObject();
    models.forEach(tree::add);
    return tree;
  }

  void addResource(ResourceType type) {
    String name = makeModelName(type);
    JsonObject model;
    if (type.extras().custom().isPresent()) {
      model = type.extras().custom().get().schema().deepCopy();
      model.addProperty("type", "object");
    } else {
      model = addMessage(type.schema(), name);
    }
    models.put(name, addTypeFields(model, makeKind(type)));
  }

  void addKind(String group, String kind) {
    String name = findPackage(group) + kind;
    models.put(
        name,
        addTypeFields(addMessage(Schema.getMessage(kind), name), makeKind(group, "v1", kind)));
  }

  private JsonObject addTypeFields(JsonObject model, JsonObject kind) {
    JsonObject properties = model.getAsJsonObject("properties");
    if (properties == null) {
      properties = new JsonObject();
      model.add("properties", properties);
    }
    properties.add("apiVersion", makeTyped("string", ""));
    properties.add("kind", makeTyped("string", ""));
    properties.add("metadata", makeReference(Schema.getMessage("ObjectMeta")));
    model.add("x-kubernetes-group-version-kind", newArray(kind));
    return model;
  }

  static JsonObject makeKind(ResourceType type) {
    return makeKind(type.group(), type.version(), type.kind());
  }

  static JsonObject makeKind(String group, String version, String name) {
    return newObject("group", group, "version", version, "kind", name);
  }

  private static String findPackage(String group) {
    String groupName = group.isEmpty() ? "core" : group.substring(0, findDot(group));
    return "io.k8s.api." + groupName + ".v1.";
  }

  private static int findDot(String group) {
    return group.indexOf('.') < 0 ? group.length() : group.indexOf('.');
  }

  private static String makeModelName(ResourceType type) {
    if (!type.isCustom()) {
      return findPackage(type.group())
          + type.kind(); // the kind, not the message: two kinds may share a message
    }
    List<String> segments = List.of(type.group().split("\\."));
    return String.join(".", segments.reversed()) + "." + type.version() + "." + type.kind();
  }

  private static Map<String, String> makeNames() {
    Map<String, String> names = new HashMap<>();
    for (ResourceType type : KindCatalogue.ALL) {
      addName(type.schema(), findPackage(type.group()), names);
    }
    for (String group : ReviewHandler.GROUPS) {
      for (String kind : ReviewHandler.getKinds(group).values()) {
        addName(Schema.getMessage(kind), findPackage(group), names);
      }
    }
    return Map.copyOf(names);
  }

  private static void addName(MessageType message, String prefix, Map<String, String> names) {
    String modelName = (META_MESSAGES.contains(message.name()) ? META : prefix) + message.name();
    if (names.putIfAbsent(message.name(), modelName) == null) {
      for (MessageField field : message.fields()) {
        if (field.shape() == Schema.FieldShape.MESSAGE) {
          addName(field.getMessage(), prefix, names);
        }
      }
    }
  }

  private JsonObject addMessage(MessageType message, String name) {
    JsonObject existing = models.get(name);
    if (existing != null) {
      return existing;
    }
    JsonObject model = makeTyped("object", "");
    JsonObject properties = new JsonObject();
    models.put(name, model);
    addFields(message, properties);
    if (!properties.isEmpty()) {
      model.add("properties", properties);
    }
    return model;
  }

  private void addFields(MessageType message, JsonObject properties) {
    for (MessageField field : message.fields()) {
      if (field.isInline()) {
        addFields(field.getMessage(), properties);
      } else {
        properties.add(field.name(), makeProperty(field));
      }
    }
  }

  private JsonObject makeProperty(MessageField field) {
    JsonObject schema = makeValue(field);
    if (field.isMap()) {
      JsonObject map = makeTyped("object", "");
      map.add("additionalProperties", schema);
      return addMergeHints(map, field);
    }
    if (field.isRepeated()) {
      JsonObject list = makeTyped("array", "");
      list.add("items", schema);
      return addListHints(list, field);
    }
    return addMergeHints(schema, field);
  }

  // OpenAPI v3 allows no other member beside a $ref.
  private JsonObject addMergeHints(JsonObject property, MessageField field) {
    JsonObject merged = property;
    if (property.has("$ref")
        && isVersion3
        && (field.mergeRules().isAtomic() || field.mergeRules().allowsRetainKeys())) {
      merged = new JsonObject();
      merged.add("allOf", newArray(property));
    }
    if (field.mergeRules().isAtomic()) {
      merged.addProperty("x-kubernetes-map-type", "atomic");
    }
    if (field.mergeRules().allowsRetainKeys()) {
      merged.addProperty("x-kubernetes-patch-strategy", "retainKeys");
    }
    return merged;
  }

  private static JsonObject addListHints(JsonObject list, MessageField field) {
    List<String> keys = field.mergeRules().keys();
    if (!keys.isEmpty()) {
      list.add("x-kubernetes-list-map-keys", DiscoveryHandler.toArray(keys));
    }
    list.addProperty(
        "x-kubernetes-list-type",
        keys.isEmpty() ? field.mergeRules().isSet() ? "set" : "atomic" : "map");
    String patchKey = field.mergeRules().patchKey();
    if (patchKey != null) {
      if (!patchKey.isEmpty()) {
        list.addProperty("x-kubernetes-patch-merge-key", patchKey);
      }
      list.addProperty(
          "x-kubernetes-patch-strategy",
          field.mergeRules().allowsRetainKeys() ? "merge,retainKeys" : "merge");
    }
    return list;
  }

  private JsonObject makeValue(MessageField field) {
    return switch (field.shape()) {
      case STRING, QUANTITY -> makeTyped("string", "");
      case BOOL -> makeTyped("boolean", "");
      case INT32 -> makeTyped("integer", "int32");
      case INT64 -> makeTyped("integer", "int64");
      case DOUBLE -> makeTyped("number", "double");
      case BYTES -> makeTyped("string", "byte");
      case TIME, MICRO_TIME -> makeTyped("string", "date-time");
      case INT_OR_STRING -> makeTyped("string", "int-or-string");
      case ANY, RAW -> makeTyped("object", "");
      case STRINGS -> {
        JsonObject list = makeTyped("array", "");
        list.add("items", makeTyped("string", ""));
        yield list;
      }
      case MESSAGE -> makeReference(field.getMessage());
    };
  }

  private JsonObject makeReference(MessageType message) {
    String name = Objects.requireNonNull(NAMES.get(message.name()), message::name);
    addMessage(message, name);
    return newObject("$ref", refPrefix + name);
  }

  private static JsonObject makeTyped(String type, String format) {
    JsonObject typed = newObject("type", type);
    if (!format.isEmpty()) {
      typed.addProperty("format", format);
    }
    return typed;
  }
}
