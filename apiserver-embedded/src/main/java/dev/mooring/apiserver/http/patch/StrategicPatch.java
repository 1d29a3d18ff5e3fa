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
 * Strategic merge patch: merges lists by key or as sets, as the schema defines, and obeys the
 * directives ({@code $patch} and others). Never changes its arguments.
 */
final class StrategicPatch {
  private static final String DELETE_FROM = "$deleteFromPrimitiveList/";
  private static final String ORDER = "$setElementOrder/";

  private StrategicPatch() {}

  /** Merges the patch into the target. A null message means that there is no schema. */
  static JsonObject merge(JsonObject target, JsonObject patch, @Nullable MessageType message)
      throws StatusException {
    switch (directive(patch)) {
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
          throw StatusException.internal(
              "unknown patch type: " + other + " in map: " + format(patch));
    }
    JsonObject result = target.deepCopy();
    for (Map.Entry<String, JsonElement> member : patch.entrySet()) {
      String name = member.getKey();
      JsonElement value = member.getValue();
      if (name.equals("$retainKeys")) {
        List<JsonElement> keep = array(value).asList();
        result.keySet().removeIf(k -> keep.stream().noneMatch(e -> e.getAsString().equals(k)));
      } else if (name.startsWith(DELETE_FROM)) {
        deleteFrom(result, name.substring(DELETE_FROM.length()), array(value));
      } else if (!name.startsWith("$")) {
        member(result, name, value, message == null ? null : field(message, name));
      }
    }
    for (Map.Entry<String, JsonElement> member : patch.entrySet()) {
      if (member.getKey().startsWith(ORDER)) {
        String name = member.getKey().substring(ORDER.length());
        order(target, result, name, array(member.getValue()), message);
      }
    }
    return result;
  }

  private static String directive(JsonObject patch) {
    JsonElement directive = patch.get("$patch");
    return directive != null && directive.isJsonPrimitive() ? directive.getAsString() : "";
  }

  private static String format(JsonElement value) {
    return switch (value) {
      case JsonObject object ->
          object.keySet().stream()
              .sorted()
              .map(k -> k + ":" + format(object.get(k)))
              .collect(Collectors.joining(" ", "map[", "]"));
      case JsonArray list ->
          list.asList().stream()
              .map(StrategicPatch::format)
              .collect(Collectors.joining(" ", "[", "]"));
      case JsonPrimitive one -> one.getAsString();
      default -> "<nil>";
    };
  }

  private static JsonArray array(JsonElement value) throws StatusException {
    if (value instanceof JsonArray list) {
      return list;
    }
    throw StatusException.badRequest("invalid patch format: a list is expected, not " + value);
  }

  private static @Nullable MessageField field(MessageType message, String name) {
    MessageField field = message.field(name);
    if (field == null) {
      MessageField holder = message.inlineHolder(name);
      field = holder == null ? null : holder.message().field(name);
    }
    return field;
  }

  private static @Nullable MessageType findMessage(@Nullable MessageField field) {
    return field == null || field.typeName().isEmpty() ? null : field.message();
  }

  private static void member(
      JsonObject result, String name, JsonElement value, @Nullable MessageField field)
      throws StatusException {
    if (value.isJsonNull()) {
      result.remove(name);
    } else if (value instanceof JsonObject nested) {
      if (directive(nested).equals("delete")) {
        result.remove(name);
        return;
      }
      if (!result.has(name) && !directive(nested).isEmpty()) {
        return; // the target has no such member
      }
      JsonObject child = result.get(name) instanceof JsonObject o ? o : new JsonObject();
      MessageType message = field != null && field.map() ? null : findMessage(field);
      result.add(name, merge(child, nested, message));
    } else if (value instanceof JsonArray list) {
      result.add(
          name,
          result.get(name) instanceof JsonArray present
              ? mergeLists(present, list, field)
              : withoutDirectives(list));
    } else {
      result.add(name, value);
    }
  }

  // A new list is taken from the patch; its elements need no merge key.
  private static JsonArray withoutDirectives(JsonArray list) {
    JsonArray plain = new JsonArray();
    for (JsonElement element : list) {
      if (!(element instanceof JsonObject object) || directive(object).isEmpty()) {
        plain.add(element.deepCopy());
      }
    }
    return plain;
  }

  private static void deleteFrom(JsonObject result, String name, JsonArray removed) {
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
    String key = field == null ? null : field.merging().patchKey();
    if (key == null) {
      return patch.deepCopy();
    }
    boolean objects =
        patch.asList().stream().anyMatch(JsonElement::isJsonObject)
            || present.asList().stream().anyMatch(JsonElement::isJsonObject);
    if (!objects) {
      List<JsonElement> merged = new ArrayList<>(present.asList().stream().distinct().toList());
      patch.forEach(e -> {
        if (!merged.contains(e)) {
          merged.add(e);
        }
      });
      return interleave(merged, patch.asList(), present.asList(), e -> e);
    }
    for (JsonElement element : patch) {
      if (element instanceof JsonObject object && directive(object).equals("replace")) {
        JsonArray replaced = new JsonArray();
        patch.forEach(e -> {
          if (!e.getAsJsonObject().has("$patch")) {
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
        throw StatusException.internal(
            "map: " + item + " does not contain declared merge key: " + key);
      }
      int at = -1;
      for (int i = 0; i < result.size() && at < 0; i++) {
        if (result.get(i) instanceof JsonObject o && element.get(key).equals(o.get(key))) {
          at = i;
        }
      }
      if (directive(element).equals("delete")) {
        if (at >= 0) {
          result.remove(at);
        }
      } else if (at >= 0) {
        result.set(at, merge(result.get(at).getAsJsonObject(), element, message));
      } else {
        result.add(merge(new JsonObject(), element, message));
      }
    }
    return interleave(result, patch.asList(), present.asList(), e -> id(e, key));
  }

  private static JsonElement id(JsonElement element, String key) {
    JsonElement id = element instanceof JsonObject object ? object.get(key) : null;
    return id == null ? element : id;
  }

  /**
   * Sorts the list as {@code $setElementOrder} requires; elements that are not named keep their
   * place.
   */
  private static void order(
      JsonObject target,
      JsonObject result,
      String name,
      JsonArray requestedOrder,
      @Nullable MessageType message) {
    MessageField field = message == null ? null : field(message, name);
    String key = field == null ? null : field.merging().patchKey();
    if (key == null || !(result.get(name) instanceof JsonArray merged)) {
      return;
    }
    JsonArray before = target.get(name) instanceof JsonArray list ? list : new JsonArray();
    Function<JsonElement, JsonElement> identity = key.isEmpty() ? e -> e : e -> id(e, key);
    result.add(
        name, interleave(merged.asList(), requestedOrder.asList(), before.asList(), identity));
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
    List<JsonElement> named =
        new ArrayList<>(merged.stream().filter(e -> patchIds.contains(identity.apply(e))).toList());
    named.sort(Comparator.comparingInt(e -> patchIds.indexOf(identity.apply(e))));
    List<JsonElement> others =
        merged.stream().filter(e -> !patchIds.contains(identity.apply(e))).toList();
    JsonArray list = new JsonArray();
    int next = 0;
    for (JsonElement element : named) {
      int presentIndex = presentIds.indexOf(identity.apply(element));
      while (next < others.size()
          && presentIndex >= 0
          && presentIds.indexOf(identity.apply(others.get(next))) < presentIndex) {
        list.add(others.get(next++));
      }
      list.add(element);
    }
    while (next < others.size()) {
      list.add(others.get(next++));
    }
    return list;
  }
}
