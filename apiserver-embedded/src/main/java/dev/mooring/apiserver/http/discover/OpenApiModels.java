package dev.mooring.apiserver.http.discover;

import static dev.mooring.apiserver.codec.JsonBodies.newArray;
import static dev.mooring.apiserver.codec.JsonBodies.newObject;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.mooring.apiserver.codec.OpenApiFacts;
import dev.mooring.apiserver.codec.OpenApiProtobuf.OpenApiVersion;
import dev.mooring.apiserver.codec.Schema;
import dev.mooring.apiserver.codec.Schema.MessageField;
import dev.mooring.apiserver.codec.Schema.MessageType;
import dev.mooring.apiserver.kinds.model.ResourceType;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

final class OpenApiModels {
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
      model = addMessage(type.schema());
    }
    models.put(name, addTypeFields(model, makeKind(type)));
  }

  void addKind(String group, String kind) {
    models.put(
        OpenApiFacts.of(kind).modelName(),
        addTypeFields(addMessage(Schema.getMessage(kind)), makeKind(group, "v1", kind)));
  }

  private JsonObject addTypeFields(JsonObject model, JsonObject kind) {
    JsonObject properties = model.getAsJsonObject("properties");
    if (properties == null) {
      properties = new JsonObject();
      model.add("properties", properties);
    }
    properties.add("apiVersion", makeTyped("string", ""));
    properties.add("kind", makeTyped("string", ""));
    if (!properties.has("metadata") || properties.getAsJsonObject("metadata").isEmpty()) {
      properties.add("metadata", makeReference(Schema.getMessage("ObjectMeta")));
    }
    model.add("x-kubernetes-group-version-kind", newArray(kind));
    return model;
  }

  static JsonObject makeKind(ResourceType type) {
    return makeKind(type.group(), type.version(), type.kind());
  }

  static JsonObject makeKind(String group, String version, String name) {
    return newObject("group", group, "version", version, "kind", name);
  }

  private static String makeModelName(ResourceType type) {
    if (!type.isCustom()) {
      return OpenApiFacts.of(type.messageName()).modelName();
    }
    List<String> segments = List.of(type.group().split("\\."));
    return String.join(".", segments.reversed()) + "." + type.version() + "." + type.kind();
  }

  private JsonObject addMessage(MessageType message) {
    OpenApiFacts facts = OpenApiFacts.of(message.name());
    JsonObject existing = models.get(facts.modelName());
    if (existing != null) {
      return existing;
    }
    JsonObject model = makeTyped("object", "");
    JsonObject properties = new JsonObject();
    models.put(facts.modelName(), model);
    addFields(message, facts, properties);
    if (!properties.isEmpty()) {
      model.add("properties", properties);
    }
    if (!facts.required().isEmpty()) {
      model.add("required", DiscoveryHandler.toArray(facts.required()));
    }
    return model;
  }

  private void addFields(MessageType message, OpenApiFacts facts, JsonObject properties) {
    for (MessageField field : message.fields()) {
      if (field.isInline()) {
        addFields(field.getMessage(), facts, properties);
      } else {
        properties.add(field.name(), addValues(makeProperty(field), field, facts));
      }
    }
  }

  // Version 2 has neither defaults nor enumerated values.
  private JsonObject addValues(JsonObject property, MessageField field, OpenApiFacts facts) {
    if (!isVersion3) {
      return property;
    }
    List<String> values = facts.enumerations().get(field.name());
    if (values != null) {
      property.add("enum", DiscoveryHandler.toArray(values));
    }
    List<String> elementValues = facts.findElementValues(field.name());
    if (elementValues != null) {
      property.getAsJsonObject("items").add("enum", DiscoveryHandler.toArray(elementValues));
    }
    JsonElement defaultValue = facts.defaults().getOrDefault(field.name(), findZero(field));
    if (!defaultValue.isJsonNull()) {
      property.add("default", defaultValue);
    }
    return property;
  }

  // Returns the default of a field that JSON always shows; JSON null for other fields.
  private static JsonElement findZero(MessageField field) {
    if (field.emptyForm() != Schema.EmptyForm.ZERO) {
      return JsonNull.INSTANCE;
    }
    return switch (field.shape()) {
      case STRING -> new JsonPrimitive("");
      case BOOL -> new JsonPrimitive(false);
      case INT32, INT64, DOUBLE -> new JsonPrimitive(0);
      case MESSAGE -> new JsonObject();
      default -> JsonNull.INSTANCE;
    };
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
    if (property.has("$ref") && isVersion3) {
      merged = newObject("allOf", newArray(property));
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
    addMessage(message);
    return newObject("$ref", refPrefix + OpenApiFacts.of(message.name()).modelName());
  }

  private static JsonObject makeTyped(String type, String format) {
    JsonObject typed = newObject("type", type);
    if (!format.isEmpty()) {
      typed.addProperty("format", format);
    }
    return typed;
  }
}
