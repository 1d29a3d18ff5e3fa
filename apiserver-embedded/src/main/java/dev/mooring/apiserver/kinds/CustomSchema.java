package dev.mooring.apiserver.kinds;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.flag;
import static dev.mooring.apiserver.codec.JsonBodies.strings;
import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.apply.Shape;
import dev.mooring.apiserver.apply.Shapes;
import dev.mooring.apiserver.codec.BadBodyException;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.codec.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a CustomResourceDefinition says about one version of its resources.
 *
 * @param schema the structural schema
 * @param version the version's name
 * @param hasStatus whether it has a status of its own
 * @param storage the schema of the version in which objects are stored
 * @param versions the names of all versions, served or not
 */
public record CustomSchema(
    JsonObject schema,
    String version,
    boolean hasStatus,
    JsonObject storage,
    List<String> versions) {
  static final String PRESERVE = "x-kubernetes-preserve-unknown-fields";
  static final String EMBEDDED = "x-kubernetes-embedded-resource";

  /**
   * The object as this version has it: what the schema does not know is gone, defaults are in.
   *
   * @param complaints unknown fields, in order of their paths
   */
  public JsonObject conform(JsonObject tree, List<String> complaints) throws BadBodyException {
    TreeSet<String> unknown = new TreeSet<>();
    JsonObject pruned = object(tree, schema, "", true, unknown);
    unknown.forEach(u -> complaints.add("unknown field \"" + u + "\""));
    fill(pruned, schema);
    return storage == schema ? pruned : object(pruned, storage, "", true, new TreeSet<>());
  }

  /** A stored object as this version shows it. */
  public JsonObject view(JsonObject stored) {
    try {
      JsonObject pruned = object(stored, storage, "", true, new TreeSet<>());
      fill(pruned, storage);
      return storage == schema ? pruned : object(pruned, schema, "", true, new TreeSet<>());
    } catch (BadBodyException e) {
      return stored; // cannot be: its metadata was read before
    }
  }

  /** Whether the value has fields that the schema does not know. */
  static boolean hasUnknown(JsonElement value, JsonObject schema) {
    TreeSet<String> unknown = new TreeSet<>();
    try {
      value(value, schema, "", unknown);
    } catch (BadBodyException e) {
      return false; // said by who validates it
    }
    return !unknown.isEmpty();
  }

  private static JsonObject object(
      JsonObject tree, JsonObject schema, String path, boolean isResource, TreeSet<String> unknown)
      throws BadBodyException {
    JsonObject result = new JsonObject();
    boolean preserve = flag(schema, PRESERVE);
    for (Map.Entry<String, JsonElement> member : tree.entrySet()) {
      String name = member.getKey();
      String below = path.isEmpty() ? name : path + "." + name;
      JsonElement value = member.getValue();
      if (isResource && (name.equals("kind") || name.equals("apiVersion"))) {
        result.add(name, value);
      } else if (isResource && name.equals("metadata")) {
        result.add(name, metadata(value, unknown, below));
      } else if (at(schema, "properties", name) instanceof JsonObject property) {
        result.add(name, value(value, property, below, unknown));
      } else if (schema.get("additionalProperties") instanceof JsonObject values) {
        result.add(name, value(value, values, below, unknown));
      } else if (preserve || flag(schema, "additionalProperties")) {
        result.add(name, value);
      } else {
        unknown.add(below);
      }
    }
    return result;
  }

  private static JsonElement metadata(JsonElement value, TreeSet<String> unknown, String path)
      throws BadBodyException {
    if (!(value instanceof JsonObject tree)) {
      throw new BadBodyException("metadata is not an object");
    }
    List<String> complaints = new ArrayList<>();
    JsonObject read = JsonBodies.conform(tree, Schema.message("ObjectMeta"), complaints).object();
    for (String complaint : complaints) {
      int quote = complaint.indexOf('"');
      unknown.add(path + "." + complaint.substring(quote + 1, complaint.length() - 1));
    }
    return read;
  }

  private static JsonElement value(
      JsonElement value, JsonObject schema, String path, TreeSet<String> unknown)
      throws BadBodyException {
    if (value instanceof JsonObject object) {
      return object(object, schema, path, flag(schema, EMBEDDED), unknown);
    }
    if (value instanceof JsonArray list && schema.get("items") instanceof JsonObject items) {
      JsonArray result = new JsonArray();
      for (JsonElement one : list) {
        result.add(value(one, items, path + "[" + result.size() + "]", unknown));
      }
      return result;
    }
    return value;
  }

  private static void fill(JsonElement value, JsonObject schema) {
    if (value instanceof JsonObject object) {
      if (schema.get("properties") instanceof JsonObject properties) {
        for (Map.Entry<String, JsonElement> property : properties.entrySet()) {
          JsonObject its = property.getValue().getAsJsonObject();
          JsonElement now = object.get(property.getKey());
          boolean dropped = now != null && now.isJsonNull() && !flag(its, "nullable");
          if (dropped) {
            object.remove(property.getKey());
          }
          if ((now == null || dropped) && at(its, "default") != null) {
            object.add(property.getKey(), its.get("default").deepCopy());
          }
          JsonElement there = object.get(property.getKey());
          if (there != null) {
            fill(there, its);
          }
        }
      }
      if (schema.get("additionalProperties") instanceof JsonObject values) {
        object.entrySet().forEach(e -> fill(e.getValue(), values));
      }
    } else if (value instanceof JsonArray list && schema.get("items") instanceof JsonObject items) {
      list.forEach(e -> fill(e, items));
    }
  }

  /** How such objects are merged. */
  public Shape shape() {
    return new Root(this);
  }

  private record Root(CustomSchema custom) implements Shape.Mapping {
    @Override
    public boolean isAtomic() {
      return false;
    }

    @Override
    public @Nullable Shape declared(String name) {
      return switch (name) {
        case "metadata" -> Shapes.METADATA;
        case "kind", "apiVersion" -> new Shape.Scalar(Shape.Kind.STRING);
        default ->
            at(custom.schema, "properties", name) instanceof JsonObject schema ? of(schema) : null;
      };
    }

    @Override
    public @Nullable Shape others() {
      return flag(custom.schema, PRESERVE) ? Shape.DEDUCED : null;
    }
  }

  private record Struct(JsonObject schema, boolean isAtomic) implements Shape.Mapping {
    @Override
    public @Nullable Shape declared(String name) {
      return at(schema, "properties", name) instanceof JsonObject property ? of(property) : null;
    }

    @Override
    public @Nullable Shape others() {
      return flag(schema, PRESERVE) || flag(schema, EMBEDDED) ? Shape.DEDUCED : null;
    }
  }

  private static Shape of(JsonObject schema) {
    if (flag(schema, "x-kubernetes-int-or-string")) {
      return new Shape.Scalar(Shape.Kind.ANY);
    }
    return switch (text(schema, "type")) {
      case "object" -> {
        boolean atomic = text(schema, "x-kubernetes-map-type").equals("atomic");
        if (schema.has("properties") || flag(schema, EMBEDDED)) {
          yield new Struct(schema, atomic);
        }
        yield schema.get("additionalProperties") instanceof JsonObject values
            ? Shapes.entries(of(values), atomic)
            : atomic ? Shape.OPAQUE : Shape.DEDUCED;
      }
      case "array" -> {
        String type = text(schema, "x-kubernetes-list-type");
        List<String> keys = strings(schema, "x-kubernetes-list-map-keys");
        Shape element = schema.get("items") instanceof JsonObject items ? of(items) : Shape.DEDUCED;
        List<String> defaults = new ArrayList<>();
        keys.forEach(k -> defaults.add(text(schema, "items", "properties", k, "default")));
        yield new Shape.Listing(
            true,
            !type.equals("map") && !type.equals("set"),
            type.equals("map") ? keys : List.of(),
            type.equals("map") ? defaults : List.of(),
            element);
      }
      case "string" -> new Shape.Scalar(Shape.Kind.STRING);
      case "integer", "number" -> new Shape.Scalar(Shape.Kind.NUMBER);
      case "boolean" -> new Shape.Scalar(Shape.Kind.BOOLEAN);
      default -> Shape.DEDUCED;
    };
  }
}
