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
      result = selectNamed(result, rules);
    }
    if (exchange.get("only") instanceof JsonArray paths) {
      result = selectPaths(result, parsePaths(paths));
    }
    if (exchange.get("blur") instanceof JsonArray paths) {
      for (List<String> path : parsePaths(paths)) {
        dropOrBlur(result, path, true);
      }
    }
    if (exchange.get("ignore") instanceof JsonArray paths) {
      for (List<String> path : parsePaths(paths)) {
        dropOrBlur(result, path, false);
      }
    }
    if (exchange.get("sort") instanceof JsonArray paths) {
      for (List<String> path : parsePaths(paths)) {
        sortList(result, path);
      }
    }
    return result;
  }

  private static void sortList(JsonElement value, List<String> path) {
    if (path.isEmpty() && value instanceof JsonArray list) {
      List<JsonElement> sortedElements =
          list.asList().stream()
              .sorted(Comparator.comparing(ResponseFilter::canonicalText))
              .toList();
      for (int i = 0; i < sortedElements.size(); i++) {
        list.set(i, sortedElements.get(i));
      }
    } else if (value instanceof JsonObject object && object.has(path.getFirst())) {
      sortList(object.get(path.getFirst()), path.subList(1, path.size()));
    }
  }

  /** Returns the value with sorted members. The recorded lists are sorted by this text. */
  private static String canonicalText(JsonElement value) {
    if (value instanceof JsonObject object) {
      return object.keySet().stream()
          .sorted()
          .map(name -> "\"" + name + "\": " + canonicalText(object.get(name)))
          .collect(Collectors.joining(", ", "{", "}"));
    }
    if (value instanceof JsonArray list) {
      return list.asList().stream()
          .map(ResponseFilter::canonicalText)
          .collect(Collectors.joining(", ", "[", "]"));
    }
    return value.toString();
  }

  private static List<List<String>> parsePaths(JsonArray paths) {
    return paths.asList().stream()
        .map(path -> path.getAsJsonArray().asList().stream().map(JsonElement::getAsString).toList())
        .toList();
  }

  private static JsonElement selectNamed(JsonElement value, JsonObject rules) {
    if (value instanceof JsonArray list) {
      JsonArray result = new JsonArray();
      list.forEach(element -> result.add(selectNamed(element, rules)));
      return result;
    }
    if (!(value instanceof JsonObject object)) {
      return value;
    }
    JsonObject result = new JsonObject();
    for (Map.Entry<String, JsonElement> member : object.entrySet()) {
      JsonElement element = member.getValue();
      if (rules.get(member.getKey()) instanceof JsonArray names
          && element instanceof JsonArray list) {
        JsonArray selected = new JsonArray();
        list.asList().stream()
            .filter(candidate ->
                candidate.isJsonObject() && isNamed(candidate.getAsJsonObject(), names))
            .forEach(selected::add);
        element = selected;
      }
      result.add(member.getKey(), selectNamed(element, rules));
    }
    return result;
  }

  private static boolean isNamed(JsonObject object, JsonArray names) {
    JsonElement nested =
        object.get("metadata") instanceof JsonObject metadata ? metadata.get("name") : null;
    return Stream.concat(
            Stream.of("name", "resource", "type", "version").map(object::get),
            Stream.ofNullable(nested))
        .anyMatch(name -> name != null && names.contains(name));
  }

  private static JsonElement selectPaths(JsonElement value, List<List<String>> paths) {
    if (paths.stream().anyMatch(List::isEmpty)) {
      return value;
    }
    if (value instanceof JsonArray list) {
      JsonArray result = new JsonArray();
      List<List<String>> innerPaths =
          paths.stream()
              .map(path -> path.getFirst().equals("*") ? path.subList(1, path.size()) : path)
              .toList();
      list.forEach(element -> result.add(selectPaths(element, innerPaths)));
      return result;
    }
    if (!(value instanceof JsonObject object)) {
      return value;
    }
    JsonObject result = new JsonObject();
    for (Map.Entry<String, JsonElement> member : object.entrySet()) {
      List<List<String>> memberPaths =
          paths.stream()
              .filter(
                  path -> path.getFirst().equals("*") || path.getFirst().equals(member.getKey()))
              .map(path -> path.subList(1, path.size()))
              .toList();
      if (!memberPaths.isEmpty()) {
        result.add(member.getKey(), selectPaths(member.getValue(), memberPaths));
      }
    }
    return result;
  }

  private static void dropOrBlur(JsonElement value, List<String> path, boolean isBlurred) {
    if (value instanceof JsonArray list) {
      list.forEach(element ->
          dropOrBlur(
              element,
              path.getFirst().equals("*") ? path.subList(1, path.size()) : path,
              isBlurred));
    } else if (value instanceof JsonObject object) {
      for (String key : List.copyOf(object.keySet())) {
        if (!path.getFirst().equals("*") && !path.getFirst().equals(key)) {
          continue;
        }
        if (path.size() > 1) {
          dropOrBlur(object.get(key), path.subList(1, path.size()), isBlurred);
        } else if (isBlurred) {
          object.add(key, blur(object.get(key)));
        } else {
          object.remove(key);
        }
      }
    }
  }

  private static JsonElement blur(JsonElement value) {
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
