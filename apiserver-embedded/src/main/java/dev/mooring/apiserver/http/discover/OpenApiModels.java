package dev.mooring.apiserver.http.discover;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.OpenApiProtobuf.OpenApiVersion;
import dev.mooring.apiserver.codec.Schema;
import dev.mooring.apiserver.codec.Schema.MessageField;
import dev.mooring.apiserver.codec.Schema.MessageType;
import dev.mooring.apiserver.http.authorize.ReviewHandler;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.ResourceType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

final class OpenApiModels {
  private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";
  private static final Set<String> OF_META =
      Set.of(
          "Condition",
          "FieldsV1",
          "LabelSelector",
          "LabelSelectorRequirement",
          "ListMeta",
          "ManagedFieldsEntry",
          "ObjectMeta",
          "OwnerReference");
  private static final Map<String, String> NAMES = names();

  private final String refPrefix;
  private final boolean isVersion3;
  private final Map<String, JsonObject> models = new TreeMap<>();

  OpenApiModels(OpenApiVersion version) {
    this.isVersion3 = version == OpenApiVersion.V3;
    this.refPrefix = isVersion3 ? "#/components/schemas/" : "#/definitions/";
  }

  JsonObject all() {
    JsonObject all = new JsonObject();
    models.forEach(all::add);
    return all;
  }

  void add(ResourceType type) {
    String name = modelName(type);
    JsonObject model;
    if (type.extras().custom().isPresent()) {
      model = type.extras().custom().get().schema().deepCopy();
      model.addProperty("type", "object");
    } else {
      model = add(type.schema(), name);
    }
    models.put(name, addTypeFields(model, kind(type)));
  }

  void add(String group, String kind) {
    String name = packageOf(group) + kind;
    models.put(name, addTypeFields(add(Schema.message(kind), name), kind(group, "v1", kind)));
  }

  private JsonObject addTypeFields(JsonObject model, JsonObject kind) {
    JsonObject properties = model.getAsJsonObject("properties");
    if (properties == null) {
      properties = new JsonObject();
      model.add("properties", properties);
    }
    properties.add("apiVersion", typed("string", ""));
    properties.add("kind", typed("string", ""));
    properties.add("metadata", reference(Schema.message("ObjectMeta")));
    JsonArray kinds = new JsonArray();
    kinds.add(kind);
    model.add("x-kubernetes-group-version-kind", kinds);
    return model;
  }

  static JsonObject kind(ResourceType type) {
    return kind(type.group(), type.version(), type.kind());
  }

  static JsonObject kind(String group, String version, String name) {
    JsonObject kind = new JsonObject();
    kind.addProperty("group", group);
    kind.addProperty("version", version);
    kind.addProperty("kind", name);
    return kind;
  }

  private static String packageOf(String group) {
    String first = group.isEmpty() ? "core" : group.substring(0, indexOfDot(group));
    return "io.k8s.api." + first + ".v1.";
  }

  private static int indexOfDot(String group) {
    return group.indexOf('.') < 0 ? group.length() : group.indexOf('.');
  }

  private static String modelName(ResourceType type) {
    if (!type.isCustom()) {
      return packageOf(type.group())
          + type.kind(); // the kind, not the message: two kinds may share a message
    }
    List<String> parts = List.of(type.group().split("\\."));
    return String.join(".", parts.reversed()) + "." + type.version() + "." + type.kind();
  }

  private static Map<String, String> names() {
    Map<String, String> names = new HashMap<>();
    for (ResourceType type : KindCatalogue.ALL) {
      name(type.schema(), packageOf(type.group()), names);
    }
    for (String group : ReviewHandler.GROUPS) {
      for (String kind : ReviewHandler.resources(group).values()) {
        name(Schema.message(kind), packageOf(group), names);
      }
    }
    return Map.copyOf(names);
  }

  private static void name(MessageType message, String prefix, Map<String, String> names) {
    String own = (OF_META.contains(message.name()) ? META : prefix) + message.name();
    if (names.putIfAbsent(message.name(), own) == null) {
      for (MessageField field : message.fields()) {
        if (field.shape() == Schema.FieldShape.MESSAGE) {
          name(field.message(), prefix, names);
        }
      }
    }
  }

  private JsonObject add(MessageType message, String name) {
    JsonObject known = models.get(name);
    if (known != null) {
      return known;
    }
    JsonObject model = typed("object", "");
    JsonObject properties = new JsonObject();
    models.put(name, model);
    fields(message, properties);
    if (!properties.isEmpty()) {
      model.add("properties", properties);
    }
    return model;
  }

  private void fields(MessageType message, JsonObject properties) {
    for (MessageField field : message.fields()) {
      if (field.inline()) {
        fields(field.message(), properties);
      } else {
        properties.add(field.name(), property(field));
      }
    }
  }

  private JsonObject property(MessageField field) {
    JsonObject one = value(field);
    if (field.map()) {
      JsonObject map = typed("object", "");
      map.add("additionalProperties", one);
      return merged(map, field);
    }
    if (field.repeated()) {
      JsonObject list = typed("array", "");
      list.add("items", one);
      return mergedList(list, field);
    }
    return merged(one, field);
  }

  /** OpenAPI v3 allows no other member beside a $ref. */
  private JsonObject merged(JsonObject property, MessageField field) {
    JsonObject merged = property;
    if (property.has("$ref")
        && isVersion3
        && (field.merging().atomic() || field.merging().retain())) {
      merged = new JsonObject();
      JsonArray all = new JsonArray();
      all.add(property);
      merged.add("allOf", all);
    }
    if (field.merging().atomic()) {
      merged.addProperty("x-kubernetes-map-type", "atomic");
    }
    if (field.merging().retain()) {
      merged.addProperty("x-kubernetes-patch-strategy", "retainKeys");
    }
    return merged;
  }

  private static JsonObject mergedList(JsonObject list, MessageField field) {
    List<String> keys = field.merging().keys();
    if (!keys.isEmpty()) {
      list.add("x-kubernetes-list-map-keys", DiscoveryHandler.strings(keys));
    }
    list.addProperty(
        "x-kubernetes-list-type",
        keys.isEmpty() ? field.merging().set() ? "set" : "atomic" : "map");
    String patchKey = field.merging().patchKey();
    if (patchKey != null) {
      if (!patchKey.isEmpty()) {
        list.addProperty("x-kubernetes-patch-merge-key", patchKey);
      }
      list.addProperty(
          "x-kubernetes-patch-strategy", field.merging().retain() ? "merge,retainKeys" : "merge");
    }
    return list;
  }

  private JsonObject value(MessageField field) {
    return switch (field.shape()) {
      case STRING, QUANTITY -> typed("string", "");
      case BOOL -> typed("boolean", "");
      case INT32 -> typed("integer", "int32");
      case INT64 -> typed("integer", "int64");
      case DOUBLE -> typed("number", "double");
      case BYTES -> typed("string", "byte");
      case TIME, MICRO_TIME -> typed("string", "date-time");
      case INT_OR_STRING -> typed("string", "int-or-string");
      case ANY, RAW -> typed("object", "");
      case STRINGS -> {
        JsonObject list = typed("array", "");
        list.add("items", typed("string", ""));
        yield list;
      }
      case MESSAGE -> reference(field.message());
    };
  }

  private JsonObject reference(MessageType message) {
    String name = Objects.requireNonNull(NAMES.get(message.name()), message::name);
    add(message, name);
    JsonObject reference = new JsonObject();
    reference.addProperty("$ref", refPrefix + name);
    return reference;
  }

  private static JsonObject typed(String type, String format) {
    JsonObject typed = new JsonObject();
    typed.addProperty("type", type);
    if (!format.isEmpty()) {
      typed.addProperty("format", format);
    }
    return typed;
  }
}
