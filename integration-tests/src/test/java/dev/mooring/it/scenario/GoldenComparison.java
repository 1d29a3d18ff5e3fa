package dev.mooring.it.scenario;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/**
 * Compares an end state with the recorded one. It ignores the order of finalizers, and the number
 * and the texts of events.
 */
final class GoldenComparison {
  private GoldenComparison() {}

  static List<String> findDifferences(
      JsonObject recorded, JsonObject actual, JsonElement ignoredPaths) {
    JsonObject expected = normalize(recorded, ignoredPaths);
    List<String> differences = new ArrayList<>();
    compare(expected, normalize(actual, ignoredPaths), "", differences);
    return differences;
  }

  private static JsonObject normalize(JsonObject state, JsonElement ignoredPaths) {
    JsonObject copy = state.deepCopy();
    copy.remove("settled");
    TreeSet<String> events = new TreeSet<>();
    for (JsonElement event : copy.getAsJsonArray("events")) {
      events.add(
          event instanceof JsonArray fields
              ? fields.get(0).getAsString()
                  + " "
                  + fields.get(1).getAsString()
                  + " "
                  + fields.get(2).getAsString()
              : event.getAsString());
    }
    if (ignoredPaths instanceof JsonArray paths) {
      for (JsonElement path : paths) {
        if (path instanceof JsonArray keys) {
          removePath(copy, keys.asList().stream().map(JsonElement::getAsString).toList());
        } else if (path.getAsString().startsWith("events.")) {
          String pattern =
              path.getAsString()
                  .substring(7)
                  .replace(".", "\\.")
                  .replace("*", ".*")
                  .replace("?", ".");
          events.removeIf(line -> line.matches(pattern));
        } else {
          removePath(copy, List.of(path.getAsString().split("\\.")));
        }
      }
    }
    JsonObject eventsByLine = new JsonObject();
    events.forEach(line -> eventsByLine.addProperty(line, 1));
    copy.add("events", eventsByLine);
    sortFinalizers(copy);
    return copy;
  }

  private static void sortFinalizers(JsonObject state) {
    state.entrySet().stream()
        .filter(section -> section.getValue().isJsonObject() && !section.getKey().equals("events"))
        .forEach(kind ->
            kind.getValue()
                .getAsJsonObject()
                .entrySet()
                .forEach(entry -> {
                  if (entry.getValue() instanceof JsonObject object
                      && object.get("meta") instanceof JsonObject meta
                      && meta.get("finalizers") instanceof JsonArray finalizers) {
                    List<JsonElement> elements = new ArrayList<>(finalizers.asList());
                    elements.sort(Comparator.comparing(JsonElement::getAsString));
                    JsonArray sortedFinalizers = new JsonArray();
                    elements.forEach(sortedFinalizers::add);
                    meta.add("finalizers", sortedFinalizers);
                  }
                }));
  }

  private static void removePath(JsonElement element, List<String> path) {
    if (!(element instanceof JsonObject object) || path.isEmpty()) {
      return;
    }
    String head = path.getFirst();
    for (String key : head.equals("*") ? List.copyOf(object.keySet()) : List.of(head)) {
      if (path.size() == 1) {
        object.remove(key);
      } else if (object.has(key)) {
        removePath(object.get(key), path.subList(1, path.size()));
      }
    }
  }

  private static void compare(
      JsonElement expected, JsonElement actual, String path, List<String> differences) {
    if (expected instanceof JsonObject expectedObject
        && actual instanceof JsonObject actualObject) {
      TreeSet<String> keys = new TreeSet<>(expectedObject.keySet());
      keys.addAll(actualObject.keySet());
      for (String key : keys) {
        if (!expectedObject.has(key) || !actualObject.has(key)) {
          differences.add(
              path
                  + "."
                  + key
                  + ": "
                  + (expectedObject.has(key) ? expectedObject.get(key) : "absent")
                  + " -> "
                  + (actualObject.has(key) ? actualObject.get(key) : "absent"));
        } else {
          compare(expectedObject.get(key), actualObject.get(key), path + "." + key, differences);
        }
      }
    } else if (!isEqual(expected, actual)) {
      differences.add(path + ": " + expected + " -> " + actual);
    }
  }

  private static boolean isEqual(JsonElement expected, JsonElement actual) {
    if (expected instanceof JsonPrimitive expectedNumber
        && actual instanceof JsonPrimitive actualNumber
        && expectedNumber.isNumber()
        && actualNumber.isNumber()) {
      return expectedNumber.getAsBigDecimal().compareTo(actualNumber.getAsBigDecimal()) == 0;
    }
    return expected.equals(actual);
  }
}
