package dev.mooring.apiserver.patch;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.model.StatusException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JSON patch (RFC 6902) and JSON merge patch (RFC 7386). Never changes its arguments. */
public final class JsonPatches {
  private JsonPatches() {}

  public static JsonObject merge(JsonObject target, JsonObject patch) {
    JsonObject result = target.deepCopy();
    for (Map.Entry<String, JsonElement> member : patch.entrySet()) {
      JsonElement value = member.getValue();
      if (value.isJsonNull()) {
        result.remove(member.getKey());
      } else if (value instanceof JsonObject nested) {
        JsonObject child =
            result.get(member.getKey()) instanceof JsonObject o ? o : new JsonObject();
        result.add(member.getKey(), merge(child, nested));
      } else {
        result.add(member.getKey(), value.deepCopy());
      }
    }
    return result;
  }

  private static final List<String> OPERATION_MEMBERS = List.of("op", "path", "from", "value");

  public static JsonElement apply(JsonElement target, JsonArray operations) throws StatusException {
    JsonElement document = target.deepCopy();
    for (JsonElement element : operations) {
      if (!(element instanceof JsonObject operation)) {
        throw StatusException.badRequest(
            "error decoding patch: json: cannot unmarshal into Go value of type jsonpatch.Operation");
      }
      document = applyOperation(document, operation);
    }
    return document;
  }

  private static JsonElement applyOperation(JsonElement document, JsonObject operation)
      throws StatusException {
    if (!operation.has("path")) {
      throw StatusException.inapplicableJsonPatch();
    }
    String operator = requireString(operation, "op");
    List<String> path = parsePointer(requireString(operation, "path"));
    switch (operator) {
      case "add" -> {
        return add(document, path, getValue(operation));
      }
      case "remove" -> remove(document, path);
      case "replace" -> {
        if (path.isEmpty()) {
          return getValue(operation);
        }
        replace(document, path, getValue(operation));
      }
      case "move" -> {
        JsonElement movedValue =
            requireValue(document, parsePointer(requireString(operation, "from"))).deepCopy();
        remove(document, parsePointer(requireString(operation, "from")));
        return add(document, path, movedValue);
      }
      case "copy" -> {
        return add(
            document, path, copyFrom(document, parsePointer(requireString(operation, "from"))));
      }
      case "test" -> testValue(document, path, operation);
      default -> throw StatusException.inapplicableJsonPatch();
    }
    return document;
  }

  // A missing member is copied as null.
  private static JsonElement copyFrom(JsonElement document, List<String> source)
      throws StatusException {
    JsonElement value = findOrNull(document, source);
    boolean isMember =
        !source.isEmpty()
            && findOrNull(document, source.subList(0, source.size() - 1)) instanceof JsonObject;
    return value == null && isMember
        ? JsonNull.INSTANCE
        : requireValue(document, source).deepCopy();
  }

  public static void reportUnknownMembers(JsonArray operations, List<String> fieldErrors) {
    for (int i = 0; i < operations.size(); i++) {
      if (operations.get(i) instanceof JsonObject operation) {
        for (String name : operation.keySet()) {
          if (!OPERATION_MEMBERS.contains(name)) {
            fieldErrors.add("json patch unknown field \"[" + i + "]." + name + "\"");
          }
        }
      }
    }
  }

  private static void testValue(JsonElement document, List<String> path, JsonObject operation)
      throws StatusException {
    JsonElement expected = operation.has("value") ? operation.get("value") : JsonNull.INSTANCE;
    JsonElement actual = findOrNull(document, path);
    if (!expected.equals(actual == null ? JsonNull.INSTANCE : actual)) {
      throw StatusException.inapplicableJsonPatch();
    }
  }

  private static String requireString(JsonObject operation, String name) {
    JsonElement value = operation.get(name);
    return value == null || !value.isJsonPrimitive() ? "" : value.getAsString();
  }

  private static JsonElement getValue(JsonObject operation) {
    JsonElement value = operation.get("value");
    return value == null ? JsonNull.INSTANCE : value.deepCopy();
  }

  private static List<String> parsePointer(String path) throws StatusException {
    if (path.isEmpty()) {
      return List.of();
    }
    if (!path.startsWith("/")) {
      throw StatusException.inapplicableJsonPatch();
    }
    List<String> segments = new ArrayList<>();
    for (String segment : path.substring(1).split("/", -1)) {
      segments.add(segment.replace("~1", "/").replace("~0", "~"));
    }
    return segments;
  }

  // Returns the value at the path; null if there is none.
  private static @Nullable JsonElement findOrNull(JsonElement document, List<String> path) {
    JsonElement current = document;
    for (String segment : path) {
      if (current instanceof JsonObject object && object.has(segment)) {
        current = object.get(segment);
      } else if (current instanceof JsonArray list
          && parseIndex(segment, list.size()) >= 0
          && parseIndex(segment, list.size()) < list.size()) {
        current = list.get(parseIndex(segment, list.size()));
      } else {
        return null;
      }
    }
    return current;
  }

  private static int parseIndex(String segment, int size) {
    if (segment.equals("-")) {
      return size;
    }
    try {
      int index = Integer.parseInt(segment);
      return index < 0 ? -1 : index;
    } catch (NumberFormatException notAnIndex) {
      return -1;
    }
  }

  private static JsonElement requireValue(JsonElement document, List<String> path)
      throws StatusException {
    JsonElement value = findOrNull(document, path);
    if (value == null) {
      throw StatusException.inapplicableJsonPatch();
    }
    return value;
  }

  private static JsonElement add(JsonElement document, List<String> path, JsonElement value)
      throws StatusException {
    if (path.isEmpty()) {
      return value;
    }
    JsonElement parent = requireValue(document, path.subList(0, path.size() - 1));
    String lastSegment = path.getLast();
    if (parent instanceof JsonObject object) {
      object.add(lastSegment, value);
    } else if (parent instanceof JsonArray list) {
      int index = parseIndex(lastSegment, list.size());
      if (index < 0 || index > list.size()) {
        throw StatusException.inapplicableJsonPatch();
      }
      list.add(JsonNull.INSTANCE);
      for (int i = list.size() - 1; i > index; i--) {
        list.set(i, list.get(i - 1));
      }
      list.set(index, value);
    } else {
      throw StatusException.inapplicableJsonPatch();
    }
    return document;
  }

  private static void replace(JsonElement document, List<String> path, JsonElement value)
      throws StatusException {
    JsonElement parent = requireValue(document, path.subList(0, path.size() - 1));
    if (parent instanceof JsonObject object) {
      object.add(path.getLast(), value);
    } else if (parent instanceof JsonArray list) {
      requireValue(document, path);
      list.set(parseIndex(path.getLast(), list.size()), value);
    } else {
      throw StatusException.inapplicableJsonPatch();
    }
  }

  private static void remove(JsonElement document, List<String> path) throws StatusException {
    if (path.isEmpty()) {
      throw StatusException.inapplicableJsonPatch();
    }
    requireValue(document, path);
    JsonElement parent = requireValue(document, path.subList(0, path.size() - 1));
    if (parent instanceof JsonObject object) {
      object.remove(path.getLast());
    } else if (parent instanceof JsonArray list) {
      list.remove(parseIndex(path.getLast(), list.size()));
    }
  }
}
