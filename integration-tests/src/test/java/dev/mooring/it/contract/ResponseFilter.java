package dev.mooring.it.contract;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Extracts the part of a response that an exchange compares. */
final class ResponseFilter {
  private ResponseFilter() {}

  static JsonElement apply(JsonElement body, JsonObject exchange) {
    JsonElement result = body;
    if (exchange.get("filter") instanceof JsonObject rules) {
      result = pick(result, rules);
    }
    if (exchange.get("only") instanceof JsonArray paths) {
      result = only(result, paths(paths));
    }
    if (exchange.get("blur") instanceof JsonArray paths) {
      for (List<String> path : paths(paths)) {
        drop(result, path, true);
      }
    }
    if (exchange.get("ignore") instanceof JsonArray paths) {
      for (List<String> path : paths(paths)) {
        drop(result, path, false);
      }
    }
    if (exchange.get("sort") instanceof JsonArray paths) {
      for (List<String> path : paths(paths)) {
        sort(result, path);
      }
    }
    return result;
  }

  private static void sort(JsonElement value, List<String> path) {
    if (path.isEmpty() && value instanceof JsonArray list) {
      List<JsonElement> sorted =
          list.asList().stream().sorted(Comparator.comparing(ResponseFilter::canonical)).toList();
      for (int i = 0; i < sorted.size(); i++) {
        list.set(i, sorted.get(i));
      }
    } else if (value instanceof JsonObject object && object.has(path.getFirst())) {
      sort(object.get(path.getFirst()), path.subList(1, path.size()));
    }
  }

  /** Returns the value with sorted members; recorded lists were sorted by this form. */
  private static String canonical(JsonElement value) {
    if (value instanceof JsonObject object) {
      return object.keySet().stream()
          .sorted()
          .map(k -> "\"" + k + "\": " + canonical(object.get(k)))
          .collect(Collectors.joining(", ", "{", "}"));
    }
    if (value instanceof JsonArray list) {
      return list.asList().stream()
          .map(ResponseFilter::canonical)
          .collect(Collectors.joining(", ", "[", "]"));
    }
    return value.toString();
  }

  private static List<List<String>> paths(JsonArray paths) {
    return paths.asList().stream()
        .map(p -> p.getAsJsonArray().asList().stream().map(JsonElement::getAsString).toList())
        .toList();
  }

  private static JsonElement pick(JsonElement value, JsonObject rules) {
    if (value instanceof JsonArray list) {
      JsonArray out = new JsonArray();
      list.forEach(e -> out.add(pick(e, rules)));
      return out;
    }
    if (!(value instanceof JsonObject object)) {
      return value;
    }
    JsonObject out = new JsonObject();
    for (Map.Entry<String, JsonElement> member : object.entrySet()) {
      JsonElement element = member.getValue();
      if (rules.get(member.getKey()) instanceof JsonArray names
          && element instanceof JsonArray list) {
        JsonArray kept = new JsonArray();
        list.asList().stream()
            .filter(e -> e.isJsonObject() && isNamed(e.getAsJsonObject(), names))
            .forEach(kept::add);
        element = kept;
      }
      out.add(member.getKey(), pick(element, rules));
    }
    return out;
  }

  private static boolean isNamed(JsonObject object, JsonArray names) {
    JsonElement nested =
        object.get("metadata") instanceof JsonObject metadata ? metadata.get("name") : null;
    return Stream.concat(
            Stream.of("name", "resource", "type", "version").map(object::get),
            Stream.ofNullable(nested))
        .anyMatch(n -> n != null && names.contains(n));
  }

  private static JsonElement only(JsonElement value, List<List<String>> paths) {
    if (paths.stream().anyMatch(List::isEmpty)) {
      return value;
    }
    if (value instanceof JsonArray list) {
      JsonArray out = new JsonArray();
      List<List<String>> within =
          paths.stream().map(p -> p.getFirst().equals("*") ? p.subList(1, p.size()) : p).toList();
      list.forEach(e -> out.add(only(e, within)));
      return out;
    }
    if (!(value instanceof JsonObject object)) {
      return value;
    }
    JsonObject out = new JsonObject();
    for (Map.Entry<String, JsonElement> member : object.entrySet()) {
      List<List<String>> below =
          paths.stream()
              .filter(p -> p.getFirst().equals("*") || p.getFirst().equals(member.getKey()))
              .map(p -> p.subList(1, p.size()))
              .toList();
      if (!below.isEmpty()) {
        out.add(member.getKey(), only(member.getValue(), below));
      }
    }
    return out;
  }

  private static void drop(JsonElement value, List<String> path, boolean blur) {
    if (value instanceof JsonArray list) {
      list.forEach(
          e -> drop(e, path.getFirst().equals("*") ? path.subList(1, path.size()) : path, blur));
    } else if (value instanceof JsonObject object) {
      for (String key : List.copyOf(object.keySet())) {
        if (!path.getFirst().equals("*") && !path.getFirst().equals(key)) {
          continue;
        }
        if (path.size() > 1) {
          drop(object.get(key), path.subList(1, path.size()), blur);
        } else if (blur) {
          object.add(key, blurred(object.get(key)));
        } else {
          object.remove(key);
        }
      }
    }
  }

  private static JsonElement blurred(JsonElement value) {
    if (value.isJsonNull()) {
      return JsonNull.INSTANCE;
    }
    if (value.isJsonArray()) {
      return new JsonPrimitive("<list>");
    }
    if (value.isJsonObject()) {
      return new JsonPrimitive("<object>");
    }
    JsonPrimitive primitive = value.getAsJsonPrimitive();
    return new JsonPrimitive(
        primitive.isString() ? "<string>" : primitive.isBoolean() ? "<boolean>" : "<number>");
  }
}
