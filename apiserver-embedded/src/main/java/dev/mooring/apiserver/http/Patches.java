package dev.mooring.apiserver.http;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.Problem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The patch types: JSON patch (RFC 6902), merge patch (RFC 7386), strategic merge patch. Arguments
 * are never changed.
 */
final class Patches {
  /**
   * Lists that are merged by a key, by field name; where one name means several lists, the first
   * key that the elements have.
   */
  private static final Map<String, List<String>> MERGE_KEYS =
      Map.ofEntries(
          Map.entry("containers", List.of("name")),
          Map.entry("initContainers", List.of("name")),
          Map.entry("ephemeralContainers", List.of("name")),
          Map.entry("volumes", List.of("name")),
          Map.entry("env", List.of("name")),
          Map.entry("volumeMounts", List.of("mountPath")),
          Map.entry("volumeDevices", List.of("devicePath")),
          Map.entry("ports", List.of("containerPort")),
          Map.entry("conditions", List.of("type")),
          Map.entry("ownerReferences", List.of("uid")),
          Map.entry("addresses", List.of("type")),
          Map.entry("imagePullSecrets", List.of("name")),
          Map.entry("hostAliases", List.of("ip")),
          Map.entry("podIPs", List.of("ip")),
          Map.entry("resourceClaims", List.of("name")),
          Map.entry("topologySpreadConstraints", List.of("topologyKey")),
          Map.entry("drivers", List.of("name")),
          Map.entry("schedulingGates", List.of("name")));

  private static final List<String> SETS = List.of("finalizers");

  private Patches() {}

  /** RFC 7386. */
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

  /** RFC 6902. */
  static JsonElement json(JsonElement target, JsonArray operations) throws Problem {
    JsonElement document = target.deepCopy();
    for (JsonElement one : operations) {
      if (!(one instanceof JsonObject operation)) {
        throw Problem.badRequest(
            "error decoding patch: json: cannot unmarshal into Go value of type jsonpatch.Operation");
      }
      document = operation(document, operation);
    }
    return document;
  }

  private static JsonElement operation(JsonElement document, JsonObject operation) throws Problem {
    String op = string(operation, "op");
    List<String> path = pointer(string(operation, "path"));
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
        JsonElement moved = find(document, pointer(string(operation, "from"))).deepCopy();
        remove(document, pointer(string(operation, "from")));
        return add(document, path, moved);
      }
      case "copy" -> {
        return add(document, path, find(document, pointer(string(operation, "from"))).deepCopy());
      }
      case "test" -> test(document, path, operation);
      default -> throw Problem.inapplicable();
    }
    return document;
  }

  private static void test(JsonElement document, List<String> path, JsonObject operation)
      throws Problem {
    JsonElement wanted = operation.has("value") ? operation.get("value") : JsonNull.INSTANCE;
    JsonElement found = lookup(document, path);
    if (found == null || !found.equals(wanted)) {
      throw Problem.inapplicable();
    }
  }

  private static String string(JsonObject operation, String name) {
    JsonElement value = operation.get(name);
    return value == null || !value.isJsonPrimitive() ? "" : value.getAsString();
  }

  private static JsonElement value(JsonObject operation) {
    JsonElement value = operation.get("value");
    return value == null ? JsonNull.INSTANCE : value.deepCopy();
  }

  private static List<String> pointer(String path) throws Problem {
    if (path.isEmpty()) {
      return List.of();
    }
    if (!path.startsWith("/")) {
      throw Problem.inapplicable();
    }
    List<String> parts = new ArrayList<>();
    for (String part : path.substring(1).split("/", -1)) {
      parts.add(part.replace("~1", "/").replace("~0", "~"));
    }
    return parts;
  }

  private static @Nullable JsonElement lookup(JsonElement document, List<String> path) {
    JsonElement here = document;
    for (String part : path) {
      if (here instanceof JsonObject object && object.has(part)) {
        here = object.get(part);
      } else if (here instanceof JsonArray list
          && index(part, list.size()) >= 0
          && index(part, list.size()) < list.size()) {
        here = list.get(index(part, list.size()));
      } else {
        return null;
      }
    }
    return here;
  }

  private static int index(String part, int size) {
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

  private static JsonElement find(JsonElement document, List<String> path) throws Problem {
    JsonElement found = lookup(document, path);
    if (found == null) {
      throw Problem.inapplicable();
    }
    return found;
  }

  private static JsonElement add(JsonElement document, List<String> path, JsonElement value)
      throws Problem {
    if (path.isEmpty()) {
      return value;
    }
    JsonElement parent = find(document, path.subList(0, path.size() - 1));
    String last = path.getLast();
    if (parent instanceof JsonObject object) {
      object.add(last, value);
    } else if (parent instanceof JsonArray list) {
      int at = index(last, list.size());
      if (at < 0 || at > list.size()) {
        throw Problem.inapplicable();
      }
      list.add(JsonNull.INSTANCE);
      for (int i = list.size() - 1; i > at; i--) {
        list.set(i, list.get(i - 1));
      }
      list.set(at, value);
    } else {
      throw Problem.inapplicable();
    }
    return document;
  }

  private static void replace(JsonElement document, List<String> path, JsonElement value)
      throws Problem {
    JsonElement parent = find(document, path.subList(0, path.size() - 1));
    if (parent instanceof JsonObject object) {
      object.add(path.getLast(), value);
    } else if (parent instanceof JsonArray list) {
      list.set(index(path.getLast(), list.size()), value);
    }
  }

  private static void remove(JsonElement document, List<String> path) throws Problem {
    find(document, path);
    JsonElement parent = find(document, path.subList(0, path.size() - 1));
    if (parent instanceof JsonObject object) {
      object.remove(path.getLast());
    } else if (parent instanceof JsonArray list) {
      list.remove(index(path.getLast(), list.size()));
    }
  }

  /**
   * Kubernetes' strategic merge: lists of objects merge by key, sets of strings unite, {@code
   * $patch} and friends are obeyed.
   */
  static JsonObject strategic(JsonObject target, JsonObject patch) throws Problem {
    String directive = string(patch, "$patch");
    if (directive.equals("replace")) {
      JsonObject replaced = patch.deepCopy();
      replaced.remove("$patch");
      return replaced;
    }
    if (directive.equals("delete")) {
      return new JsonObject();
    }
    JsonObject result = target.deepCopy();
    for (Map.Entry<String, JsonElement> member : patch.entrySet()) {
      String name = member.getKey();
      JsonElement value = member.getValue();
      if (name.startsWith("$deleteFromPrimitiveList/")) {
        deleteFrom(result, name.substring(name.indexOf('/') + 1), value.getAsJsonArray());
      } else if (name.equals("$retainKeys")) {
        List<String> keep = new ArrayList<>();
        value.getAsJsonArray().forEach(k -> keep.add(k.getAsString()));
        result.entrySet().removeIf(e -> !keep.contains(e.getKey()));
      } else if (!name.startsWith("$")) {
        member(result, name, value);
      }
    }
    return result;
  }

  private static void member(JsonObject result, String name, JsonElement value) throws Problem {
    if (value.isJsonNull()) {
      result.remove(name);
    } else if (value instanceof JsonObject nested) {
      JsonObject below = result.get(name) instanceof JsonObject o ? o : new JsonObject();
      JsonObject merged = strategic(below, nested);
      if (string(nested, "$patch").equals("delete")) {
        result.remove(name);
      } else {
        result.add(name, merged);
      }
    } else if (value instanceof JsonArray list) {
      JsonArray present = result.get(name) instanceof JsonArray a ? a : new JsonArray();
      result.add(name, list(name, present, list));
    } else {
      result.add(name, value);
    }
  }

  private static void deleteFrom(JsonObject result, String name, JsonArray gone) {
    if (result.get(name) instanceof JsonArray list) {
      JsonArray left = new JsonArray();
      list.forEach(e -> {
        if (!gone.contains(e)) {
          left.add(e);
        }
      });
      result.add(name, left);
    }
  }

  private static JsonArray list(String name, JsonArray present, JsonArray patch) throws Problem {
    if (SETS.contains(name)) {
      List<JsonElement> merged = new ArrayList<>(present.asList());
      patch.forEach(e -> {
        if (!merged.contains(e)) {
          merged.add(e);
        }
      });
      return ordered(merged, patch.asList(), present.asList(), e -> e);
    }
    List<String> keys = MERGE_KEYS.getOrDefault(name, List.of());
    boolean objects =
        !patch.isEmpty() && patch.asList().stream().allMatch(JsonElement::isJsonObject);
    if (keys.isEmpty() || !objects) {
      return patch.deepCopy();
    }
    for (JsonElement one : patch) {
      if (string(one.getAsJsonObject(), "$patch").equals("replace")) {
        JsonArray replaced = new JsonArray();
        patch.forEach(e -> {
          if (!e.getAsJsonObject().has("$patch")) {
            replaced.add(e.deepCopy());
          }
        });
        return replaced;
      }
    }
    return keyed(keys.getFirst(), present, patch);
  }

  private static JsonArray keyed(String key, JsonArray present, JsonArray patch) throws Problem {
    List<JsonElement> result = new ArrayList<>(present.deepCopy().asList());
    for (JsonElement one : patch) {
      JsonObject element = one.getAsJsonObject();
      if (!element.has(key)) {
        throw Problem.internal("map: " + element + " does not contain declared merge key: " + key);
      }
      int at = -1;
      for (int i = 0; i < result.size(); i++) {
        if (result.get(i) instanceof JsonObject o && element.get(key).equals(o.get(key))) {
          at = i;
        }
      }
      if (string(element, "$patch").equals("delete")) {
        if (at >= 0) {
          result.remove(at);
        }
      } else if (at >= 0) {
        result.set(at, strategic(result.get(at).getAsJsonObject(), element));
      } else {
        result.add(strategic(new JsonObject(), element));
      }
    }
    return ordered(
        result,
        patch.asList(),
        present.asList(),
        e -> e.isJsonObject() ? e.getAsJsonObject().get(key) : e);
  }

  /**
   * Elements of the patch in its order, the others in theirs; woven together by the order they had,
   * new ones as early as they can.
   */
  private static JsonArray ordered(
      List<JsonElement> merged,
      List<JsonElement> patch,
      List<JsonElement> present,
      Function<JsonElement, JsonElement> identity) {
    List<JsonElement> patchIds = patch.stream().map(identity).toList();
    List<JsonElement> presentIds = present.stream().map(identity).toList();
    List<JsonElement> fromPatch =
        new ArrayList<>(merged.stream().filter(e -> patchIds.contains(identity.apply(e))).toList());
    fromPatch.sort(Comparator.comparingInt(e -> patchIds.indexOf(identity.apply(e))));
    List<JsonElement> others =
        merged.stream().filter(e -> !patchIds.contains(identity.apply(e))).toList();
    JsonArray list = new JsonArray();
    int next = 0;
    for (JsonElement mine : fromPatch) {
      int had = presentIds.indexOf(identity.apply(mine));
      while (next < others.size()
          && had >= 0
          && presentIds.indexOf(identity.apply(others.get(next))) < had) {
        list.add(others.get(next++));
      }
      list.add(mine);
    }
    while (next < others.size()) {
      list.add(others.get(next++));
    }
    return list;
  }

  /**
   * Server-side apply without ownership conflicts: what the manager applied before and now leaves
   * out goes, the rest is merged in.
   */
  static JsonObject apply(JsonObject target, @Nullable JsonObject appliedBefore, JsonObject config)
      throws Problem {
    JsonObject pruned = target.deepCopy();
    if (appliedBefore != null) {
      prune(pruned, appliedBefore, config);
    }
    return strategic(pruned, config);
  }

  private static void prune(JsonObject object, JsonObject before, JsonObject now) {
    for (Map.Entry<String, JsonElement> member : before.entrySet()) {
      String name = member.getKey();
      if (!now.has(name)) {
        object.remove(name);
      } else if (member.getValue() instanceof JsonObject nested
          && object.get(name) instanceof JsonObject o
          && now.get(name) instanceof JsonObject n) {
        prune(o, nested, n);
      }
    }
  }
}
