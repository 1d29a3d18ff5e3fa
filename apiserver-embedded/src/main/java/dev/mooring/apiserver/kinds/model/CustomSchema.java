package dev.mooring.apiserver.kinds.model;

import static dev.mooring.apiserver.codec.JsonBodies.flagAt;
import static dev.mooring.apiserver.codec.JsonBodies.stringsAt;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.apply.MessageShapes;
import dev.mooring.apiserver.apply.ValueShape;
import dev.mooring.apiserver.codec.BadBodyException;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.codec.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A version in a CustomResourceDefinition.
 *
 * @param schema the structural schema
 * @param hasStatus true if the version has the subresource status
 * @param storageSchema the schema of the storage version
 * @param versionNames the names of all versions, served or not
 */
public record CustomSchema(
    JsonObject schema,
    String version,
    boolean hasStatus,
    JsonObject storageSchema,
    List<String> versionNames) {
  public static final String PRESERVE = "x-kubernetes-preserve-unknown-fields";
  public static final String EMBEDDED = "x-kubernetes-embedded-resource";

  /**
   * Converts a tree into an object of this version: removes unknown fields and sets defaults.
   *
   * @param fieldErrors receives unknown fields, ordered by path
   */
  public JsonObject conform(JsonObject tree, List<String> fieldErrors) throws BadBodyException {
    TreeSet<String> unknown = new TreeSet<>();
    JsonObject pruned = conformObject(tree, schema, "", true, unknown);
    unknown.forEach(u -> fieldErrors.add("unknown field \"" + u + "\""));
    setDefaults(pruned, schema);
    return storageSchema == schema
        ? pruned
        : conformObject(pruned, storageSchema, "", true, new TreeSet<>());
  }

  /** Returns a stored object as this version shows it. */
  public JsonObject convertForReading(JsonObject stored) {
    try {
      JsonObject pruned = conformObject(stored, storageSchema, "", true, new TreeSet<>());
      setDefaults(pruned, storageSchema);
      return storageSchema == schema
          ? pruned
          : conformObject(pruned, schema, "", true, new TreeSet<>());
    } catch (BadBodyException e) {
      return stored; // unreachable: the metadata was decoded before
    }
  }

  /** Returns whether the schema lacks a field of the value; false if a value has a wrong type. */
  public static boolean hasUnknown(JsonElement value, JsonObject schema) {
    TreeSet<String> unknown = new TreeSet<>();
    try {
      conformValue(value, schema, "", unknown);
    } catch (BadBodyException e) {
      return false; // validation reports a wrong type
    }
    return !unknown.isEmpty();
  }

  // Of a resource, kind, apiVersion and metadata follow the API's schema, not the given one.
  private static JsonObject conformObject(
      JsonObject tree, JsonObject schema, String path, boolean isResource, TreeSet<String> unknown)
      throws BadBodyException {
    JsonObject result = new JsonObject();
    boolean preservesUnknown = flagAt(schema, PRESERVE);
    for (Map.Entry<String, JsonElement> member : tree.entrySet()) {
      String name = member.getKey();
      String memberPath = path.isEmpty() ? name : path + "." + name;
      JsonElement value = member.getValue();
      if (isResource && (name.equals("kind") || name.equals("apiVersion"))) {
        result.add(name, value);
      } else if (isResource && name.equals("metadata")) {
        result.add(name, conformMetadata(value, unknown, memberPath));
      } else if (valueAt(schema, "properties", name) instanceof JsonObject property) {
        result.add(name, conformValue(value, property, memberPath, unknown));
      } else if (schema.get("additionalProperties") instanceof JsonObject values) {
        result.add(name, conformValue(value, values, memberPath, unknown));
      } else if (preservesUnknown || flagAt(schema, "additionalProperties")) {
        result.add(name, value);
      } else {
        unknown.add(memberPath);
      }
    }
    return result;
  }

  private static JsonElement conformMetadata(
      JsonElement value, TreeSet<String> unknown, String path) throws BadBodyException {
    if (!(value instanceof JsonObject tree)) {
      throw new BadBodyException("metadata is not an object");
    }
    List<String> fieldErrors = new ArrayList<>();
    JsonObject metadata =
        JsonBodies.conform(tree, Schema.getMessage("ObjectMeta"), fieldErrors).object();
    for (String fieldError : fieldErrors) {
      int quote = fieldError.indexOf('"');
      unknown.add(path + "." + fieldError.substring(quote + 1, fieldError.length() - 1));
    }
    return metadata;
  }

  private static JsonElement conformValue(
      JsonElement value, JsonObject schema, String path, TreeSet<String> unknown)
      throws BadBodyException {
    if (value instanceof JsonObject object) {
      return conformObject(object, schema, path, flagAt(schema, EMBEDDED), unknown);
    }
    if (value instanceof JsonArray list && schema.get("items") instanceof JsonObject items) {
      JsonArray result = new JsonArray();
      for (JsonElement element : list) {
        result.add(conformValue(element, items, path + "[" + result.size() + "]", unknown));
      }
      return result;
    }
    return value;
  }

  private static void setDefaults(JsonElement value, JsonObject schema) {
    if (value instanceof JsonObject object) {
      if (schema.get("properties") instanceof JsonObject properties) {
        for (Map.Entry<String, JsonElement> property : properties.entrySet()) {
          JsonObject propertySchema = property.getValue().getAsJsonObject();
          JsonElement current = object.get(property.getKey());
          boolean isDropped =
              current != null && current.isJsonNull() && !flagAt(propertySchema, "nullable");
          if (isDropped) {
            object.remove(property.getKey());
          }
          if ((current == null || isDropped) && valueAt(propertySchema, "default") != null) {
            object.add(property.getKey(), propertySchema.get("default").deepCopy());
          }
          JsonElement child = object.get(property.getKey());
          if (child != null) {
            setDefaults(child, propertySchema);
          }
        }
      }
      if (schema.get("additionalProperties") instanceof JsonObject values) {
        object.entrySet().forEach(e -> setDefaults(e.getValue(), values));
      }
    } else if (value instanceof JsonArray list && schema.get("items") instanceof JsonObject items) {
      list.forEach(e -> setDefaults(e, items));
    }
  }

  public ValueShape toShape() {
    return new RootShape(this);
  }

  private record RootShape(CustomSchema custom) implements ValueShape.MapShape {
    @Override
    public boolean isAtomic() {
      return false;
    }

    @Override
    public @Nullable ValueShape findDeclaredShape(String name) {
      return switch (name) {
        case "metadata" -> MessageShapes.METADATA;
        case "kind", "apiVersion" -> new ValueShape.ScalarShape(ValueShape.ScalarKind.STRING);
        default ->
            valueAt(custom.schema, "properties", name) instanceof JsonObject schema
                ? toShape(schema)
                : null;
      };
    }

    @Override
    public @Nullable ValueShape undeclaredShape() {
      return flagAt(custom.schema, PRESERVE) ? ValueShape.DEDUCED : null;
    }
  }

  private record StructShape(JsonObject schema, boolean isAtomic) implements ValueShape.MapShape {
    @Override
    public @Nullable ValueShape findDeclaredShape(String name) {
      return valueAt(schema, "properties", name) instanceof JsonObject property
          ? toShape(property)
          : null;
    }

    @Override
    public @Nullable ValueShape undeclaredShape() {
      return flagAt(schema, PRESERVE) || flagAt(schema, EMBEDDED) ? ValueShape.DEDUCED : null;
    }
  }

  private static ValueShape toShape(JsonObject schema) {
    if (flagAt(schema, "x-kubernetes-int-or-string")) {
      return new ValueShape.ScalarShape(ValueShape.ScalarKind.ANY);
    }
    return switch (textAt(schema, "type")) {
      case "object" -> {
        boolean isAtomic = textAt(schema, "x-kubernetes-map-type").equals("atomic");
        if (schema.has("properties") || flagAt(schema, EMBEDDED)) {
          yield new StructShape(schema, isAtomic);
        }
        yield schema.get("additionalProperties") instanceof JsonObject values
            ? MessageShapes.makeEntryShape(toShape(values), isAtomic)
            : isAtomic ? ValueShape.OPAQUE : ValueShape.DEDUCED;
      }
      case "array" -> {
        String listType = textAt(schema, "x-kubernetes-list-type");
        List<String> keyFields = stringsAt(schema, "x-kubernetes-list-map-keys");
        ValueShape element =
            schema.get("items") instanceof JsonObject items ? toShape(items) : ValueShape.DEDUCED;
        List<String> defaults = new ArrayList<>();
        keyFields.forEach(k -> defaults.add(textAt(schema, "items", "properties", k, "default")));
        yield new ValueShape.ListShape(
            true,
            !listType.equals("map") && !listType.equals("set"),
            listType.equals("map") ? keyFields : List.of(),
            listType.equals("map") ? defaults : List.of(),
            element);
      }
      case "string" -> new ValueShape.ScalarShape(ValueShape.ScalarKind.STRING);
      case "integer", "number" -> new ValueShape.ScalarShape(ValueShape.ScalarKind.NUMBER);
      case "boolean" -> new ValueShape.ScalarShape(ValueShape.ScalarKind.BOOLEAN);
      default -> ValueShape.DEDUCED;
    };
  }
}
