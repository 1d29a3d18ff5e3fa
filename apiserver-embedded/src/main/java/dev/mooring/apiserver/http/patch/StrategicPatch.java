package dev.mooring.apiserver.http.patch;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.mooring.apiserver.codec.Schema.MessageField;
import dev.mooring.apiserver.codec.Schema.MessageType;
import dev.mooring.apiserver.kinds.model.StatusException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Strategic merge patch: merges lists by key or as sets, as the schema defines, and applies the
 * directives ({@code $patch} and others). Never changes its arguments.
 */
final class StrategicPatch {
  private static final String DELETE_FROM_PREFIX = "$deleteFromPrimitiveList/";
  private static final String ORDER_PREFIX = "$setElementOrder/";

  private StrategicPatch() {}

  /** Merges the patch into the target. A null message means that there is no schema. */
  static JsonObject merge(JsonObject target, JsonObject patch, @Nullable MessageType message)
      throws StatusException {
    switch (getDirective(patch)) {
      case "replace" -> {
        JsonObject replaced = patch.deepCopy();
        replaced.remove("$patch");
        return replaced;
      }
      case "delete" -> {
        return new JsonObject();
      }
      case "" -> {
        // a merge without directive
      }
      case String other ->
          throw StatusException.internalErrorWithoutReason(
              "unknown patch type: " + other + " in map: " + formatGo(patch));
    }
    JsonObject result = target.deepCopy();
    for (Map.Entry<String, JsonElement> member : patch.entrySet()) {
      String name = member.getKey();
      JsonElement value = member.getValue();
      if (name.equals("$retainKeys")) {
        List<JsonElement> retainedKeys = requireArray(value).asList();
        result.keySet().removeIf(k -> !retainedKeys.contains(new JsonPrimitive(k)));
      } else if (name.startsWith(DELETE_FROM_PREFIX)) {
        deleteElements(result, name.substring(DELETE_FROM_PREFIX.length()), requireArray(value));
      } else if (!name.startsWith("$")) {
        mergeMember(result, name, value, message == null ? null : message.findMember(name));
      }
    }
    for (Map.Entry<String, JsonElement> member : patch.entrySet()) {
      if (member.getKey().startsWith(ORDER_PREFIX)) {
        String name = member.getKey().substring(ORDER_PREFIX.length());
        sortElements(target, result, name, requireArray(member.getValue()), message);
      }
    }
    return result;
  }

  private static String getDirective(JsonObject patch) {
    JsonElement directive = patch.get("$patch");
    return directive != null && directive.isJsonPrimitive() ? directive.getAsString() : "";
  }

  private static String formatGo(JsonElement value) {
    return switch (value) {
      case JsonObject object ->
          object.keySet().stream()
              .sorted()
              .map(k -> k + ":" + formatGo(object.get(k)))
              .collect(Collectors.joining(" ", "map[", "]"));
      case JsonArray list ->
          list.asList().stream()
              .map(StrategicPatch::formatGo)
              .collect(Collectors.joining(" ", "[", "]"));
      case JsonPrimitive primitive -> primitive.getAsString();
      default -> "<nil>";
    };
  }

  private static JsonArray requireArray(JsonElement value) throws StatusException {
    if (value instanceof JsonArray list) {
      return list;
    }
    throw StatusException.badRequest("invalid patch format: a list is expected, not " + value);
  }

  private static @Nullable MessageType findMessage(@Nullable MessageField field) {
    return field == null || field.typeName().isEmpty() ? null : field.getMessage();
  }

  private static void mergeMember(
      JsonObject result, String name, JsonElement value, @Nullable MessageField field)
      throws StatusException {
    if (value.isJsonNull()) {
      result.remove(name);
    } else if (value instanceof JsonObject nested) {
      if (getDirective(nested).equals("delete")) {
        result.remove(name);
        return;
      }
      if (!result.has(name) && !getDirective(nested).isEmpty()) {
        return; // the target has no such member
      }
      JsonObject child = result.get(name) instanceof JsonObject o ? o : new JsonObject();
      MessageType message = field != null && field.isMap() ? null : findMessage(field);
      result.add(name, merge(child, nested, message));
    } else if (value instanceof JsonArray list) {
      result.add(
          name,
          result.get(name) instanceof JsonArray present
              ? mergeLists(present, list, field)
              : removeDirectives(list));
    } else {
      result.add(name, value);
    }
  }

  // A new list is taken from the patch; its elements need no merge key.
  private static JsonArray removeDirectives(JsonArray list) {
    JsonArray elements = new JsonArray();
    for (JsonElement element : list) {
      if (!(element instanceof JsonObject object) || getDirective(object).isEmpty()) {
        elements.add(element.deepCopy());
      }
    }
    return elements;
  }

  private static void deleteElements(JsonObject result, String name, JsonArray removed) {
    if (result.get(name) instanceof JsonArray list) {
      JsonArray remaining = new JsonArray();
      list.forEach(e -> {
        if (!removed.contains(e)) {
          remaining.add(e);
        }
      });
      result.add(name, remaining);
    }
  }

  private static JsonArray mergeLists(
      JsonArray present, JsonArray patch, @Nullable MessageField field) throws StatusException {
    String key = field == null ? null : field.mergeRules().patchKey();
    if (key == null) {
      return patch.deepCopy();
    }
    boolean hasObjects =
        patch.asList().stream().anyMatch(JsonElement::isJsonObject)
            || present.asList().stream().anyMatch(JsonElement::isJsonObject);
    if (!hasObjects) {
      List<JsonElement> merged = new ArrayList<>(present.asList().stream().distinct().toList());
      patch.forEach(e -> {
        if (!merged.contains(e)) {
          merged.add(e);
        }
      });
      return interleave(merged, patch.asList(), present.asList(), e -> e);
    }
    for (JsonElement element : patch) {
      if (element instanceof JsonObject object && getDirective(object).equals("replace")) {
        JsonArray replaced = new JsonArray();
        patch.forEach(e -> {
          if (!(e instanceof JsonObject o && o.has("$patch"))) {
            replaced.add(e.deepCopy());
          }
        });
        return replaced;
      }
    }
    return mergeByKey(key, present, patch, findMessage(field));
  }

  private static JsonArray mergeByKey(
      String key, JsonArray present, JsonArray patch, @Nullable MessageType message)
      throws StatusException {
    List<JsonElement> result = new ArrayList<>(present.deepCopy().asList());
    for (JsonElement item : patch) {
      if (!(item instanceof JsonObject element) || !element.has(key)) {
        throw StatusException.internalErrorWithoutReason(
            "map: " + item + " does not contain declared merge key: " + key);
      }
      int index = -1;
      for (int i = 0; i < result.size() && index < 0; i++) {
        if (result.get(i) instanceof JsonObject o && element.get(key).equals(o.get(key))) {
          index = i;
        }
      }
      if (getDirective(element).equals("delete")) {
        if (index >= 0) {
          result.remove(index);
        }
      } else if (index >= 0) {
        result.set(index, merge(result.get(index).getAsJsonObject(), element, message));
      } else {
        result.add(merge(new JsonObject(), element, message));
      }
    }
    return interleave(result, patch.asList(), present.asList(), e -> getId(e, key));
  }

  private static JsonElement getId(JsonElement element, String key) {
    JsonElement id = element instanceof JsonObject object ? object.get(key) : null;
    return id == null ? element : id;
  }

  /**
   * Sorts the list as {@code $setElementOrder} requires; elements that are not named keep their
   * place.
   */
  private static void sortElements(
      JsonObject target,
      JsonObject result,
      String name,
      JsonArray requestedOrder,
      @Nullable MessageType message) {
    MessageField field = message == null ? null : message.findMember(name);
    String key = field == null ? null : field.mergeRules().patchKey();
    if (key == null || !(result.get(name) instanceof JsonArray merged)) {
      return;
    }
    JsonArray oldList = target.get(name) instanceof JsonArray list ? list : new JsonArray();
    Function<JsonElement, JsonElement> identity = key.isEmpty() ? e -> e : e -> getId(e, key);
    result.add(
        name, interleave(merged.asList(), requestedOrder.asList(), oldList.asList(), identity));
  }

  /**
   * Merges two sequences: elements named in the patch in its order, others in their present order.
   * New elements come as early as possible.
   */
  private static JsonArray interleave(
      List<JsonElement> merged,
      List<JsonElement> patch,
      List<JsonElement> present,
      Function<JsonElement, JsonElement> identity) {
    List<JsonElement> patchIds = patch.stream().map(identity).toList();
    List<JsonElement> presentIds = present.stream().map(identity).toList();
    List<JsonElement> namedElements =
        new ArrayList<>(merged.stream().filter(e -> patchIds.contains(identity.apply(e))).toList());
    namedElements.sort(Comparator.comparingInt(e -> patchIds.indexOf(identity.apply(e))));
    List<JsonElement> otherElements =
        merged.stream().filter(e -> !patchIds.contains(identity.apply(e))).toList();
    JsonArray list = new JsonArray();
    int nextOther = 0;
    for (JsonElement element : namedElements) {
      int presentIndex = presentIds.indexOf(identity.apply(element));
      while (nextOther < otherElements.size()
          && presentIndex >= 0
          && presentIds.indexOf(identity.apply(otherElements.get(nextOther))) < presentIndex) {
        list.add(otherElements.get(nextOther++));
      }
      list.add(element);
    }
    while (nextOther < otherElements.size()) {
      list.add(otherElements.get(nextOther++));
    }
    return list;
  }
}
