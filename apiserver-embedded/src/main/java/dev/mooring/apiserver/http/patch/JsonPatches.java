package dev.mooring.apiserver.http.patch;

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
final class JsonPatches {
  private JsonPatches() {}

  static JsonObject merge(JsonObject target, JsonObject patch) {
    JsonObject result = target.deepCopy();
    for (Map.Entry<String, JsonElement> member : patch.entrySet()) {
      JsonElement value = member.getValue();
      if (value.isJsonNull()) {
        result.remove(member.getKey());
      } else if (value instanceof JsonObject nested) {
        JsonObject below =
            result.get(member.getKey()) instanceof JsonObject o ? o : new JsonObject();
        result.add(member.getKey(), merge(below, nested));
      } else {
        result.add(member.getKey(), value.deepCopy());
      }
    }
    return result;
  }

  private static final List<String> MEMBERS = List.of("op", "path", "from", "value");

  static JsonElement apply(JsonElement target, JsonArray operations) throws StatusException {
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
      throw StatusException.inapplicable();
    }
    String op = requireString(operation, "op");
    List<String> path = parsePointer(requireString(operation, "path"));
    switch (op) {
      case "add" -> {
        return add(document, path, value(operation));
      }
      case "remove" -> remove(document, path);
      case "replace" -> {
        if (path.isEmpty()) {
          return value(operation);
        }
        replace(document, path, value(operation));
      }
      case "move" -> {
        JsonElement moved =
            find(document, parsePointer(requireString(operation, "from"))).deepCopy();
        remove(document, parsePointer(requireString(operation, "from")));
        return add(document, path, moved);
      }
      case "copy" -> {
        return add(
            document, path, copyFrom(document, parsePointer(requireString(operation, "from"))));
      }
      case "test" -> test(document, path, operation);
      default -> throw StatusException.inapplicable();
    }
    return document;
  }

  // A missing member is copied as null.
  private static JsonElement copyFrom(JsonElement document, List<String> from)
      throws StatusException {
    JsonElement found = lookup(document, from);
    boolean isMember =
        !from.isEmpty() && lookup(document, from.subList(0, from.size() - 1)) instanceof JsonObject;
    return found == null && isMember ? JsonNull.INSTANCE : find(document, from).deepCopy();
  }

  static void reportUnknownMembers(JsonArray operations, List<String> complaints) {
    for (int i = 0; i < operations.size(); i++) {
      if (operations.get(i) instanceof JsonObject operation) {
        for (String name : operation.keySet()) {
          if (!MEMBERS.contains(name)) {
            complaints.add("json patch unknown field \"[" + i + "]." + name + "\"");
          }
        }
      }
    }
  }

  private static void test(JsonElement document, List<String> path, JsonObject operation)
      throws StatusException {
    JsonElement expected = operation.has("value") ? operation.get("value") : JsonNull.INSTANCE;
    JsonElement found = lookup(document, path);
    if (!expected.equals(found == null ? JsonNull.INSTANCE : found)) {
      throw StatusException.inapplicable();
    }
  }

  private static String requireString(JsonObject operation, String name) {
    JsonElement value = operation.get(name);
    return value == null || !value.isJsonPrimitive() ? "" : value.getAsString();
  }

  private static JsonElement value(JsonObject operation) {
    JsonElement value = operation.get("value");
    return value == null ? JsonNull.INSTANCE : value.deepCopy();
  }

  private static List<String> parsePointer(String path) throws StatusException {
    if (path.isEmpty()) {
      return List.of();
    }
    if (!path.startsWith("/")) {
      throw StatusException.inapplicable();
    }
    List<String> parts = new ArrayList<>();
    for (String part : path.substring(1).split("/", -1)) {
      parts.add(part.replace("~1", "/").replace("~0", "~"));
    }
    return parts;
  }

  private static @Nullable JsonElement lookup(JsonElement document, List<String> path) {
    JsonElement current = document;
    for (String part : path) {
      if (current instanceof JsonObject object && object.has(part)) {
        current = object.get(part);
      } else if (current instanceof JsonArray list
          && parseIndex(part, list.size()) >= 0
          && parseIndex(part, list.size()) < list.size()) {
        current = list.get(parseIndex(part, list.size()));
      } else {
        return null;
      }
    }
    return current;
  }

  private static int parseIndex(String part, int size) {
    if (part.equals("-")) {
      return size;
    }
    try {
      int index = Integer.parseInt(part);
      return index < 0 ? -1 : index;
    } catch (NumberFormatException notAnIndex) {
      return -1;
    }
  }

  private static JsonElement find(JsonElement document, List<String> path) throws StatusException {
    JsonElement found = lookup(document, path);
    if (found == null) {
      throw StatusException.inapplicable();
    }
    return found;
  }

  private static JsonElement add(JsonElement document, List<String> path, JsonElement value)
      throws StatusException {
    if (path.isEmpty()) {
      return value;
    }
    JsonElement parent = find(document, path.subList(0, path.size() - 1));
    String last = path.getLast();
    if (parent instanceof JsonObject object) {
      object.add(last, value);
    } else if (parent instanceof JsonArray list) {
      int at = parseIndex(last, list.size());
      if (at < 0 || at > list.size()) {
        throw StatusException.inapplicable();
      }
      list.add(JsonNull.INSTANCE);
      for (int i = list.size() - 1; i > at; i--) {
        list.set(i, list.get(i - 1));
      }
      list.set(at, value);
    } else {
      throw StatusException.inapplicable();
    }
    return document;
  }

  private static void replace(JsonElement document, List<String> path, JsonElement value)
      throws StatusException {
    JsonElement parent = find(document, path.subList(0, path.size() - 1));
    if (parent instanceof JsonObject object) {
      object.add(path.getLast(), value);
    } else if (parent instanceof JsonArray list) {
      list.set(parseIndex(path.getLast(), list.size()), value);
    }
  }

  private static void remove(JsonElement document, List<String> path) throws StatusException {
    find(document, path);
    JsonElement parent = find(document, path.subList(0, path.size() - 1));
    if (parent instanceof JsonObject object) {
      object.remove(path.getLast());
    } else if (parent instanceof JsonArray list) {
      list.remove(parseIndex(path.getLast(), list.size()));
    }
  }
}
