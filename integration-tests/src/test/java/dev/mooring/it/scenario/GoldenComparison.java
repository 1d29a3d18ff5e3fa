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
 * Compares an end state with the recorded one; ignores the order of finalizers, and repeats and
 * texts of events.
 */
final class GoldenComparison {
  private GoldenComparison() {}

  static List<String> differences(JsonObject recorded, JsonObject got, JsonElement ignore) {
    JsonObject want = normal(recorded, ignore);
    List<String> found = new ArrayList<>();
    compare(want, normal(got, ignore), "", found);
    return found;
  }

  private static JsonObject normal(JsonObject state, JsonElement ignore) {
    JsonObject copy = state.deepCopy();
    copy.remove("settled");
    TreeSet<String> events = new TreeSet<>();
    for (JsonElement event : copy.getAsJsonArray("events")) {
      events.add(
          event instanceof JsonArray parts
              ? parts.get(0).getAsString()
                  + " "
                  + parts.get(1).getAsString()
                  + " "
                  + parts.get(2).getAsString()
              : event.getAsString());
    }
    if (ignore instanceof JsonArray paths) {
      for (JsonElement path : paths) {
        if (path instanceof JsonArray keys) {
          drop(copy, keys.asList().stream().map(JsonElement::getAsString).toList());
        } else if (path.getAsString().startsWith("events.")) {
          String pattern =
              path.getAsString()
                  .substring(7)
                  .replace(".", "\\.")
                  .replace("*", ".*")
                  .replace("?", ".");
          events.removeIf(e -> e.matches(pattern));
        } else {
          drop(copy, List.of(path.getAsString().split("\\.")));
        }
      }
    }
    JsonObject present = new JsonObject();
    events.forEach(e -> present.addProperty(e, 1));
    copy.add("events", present);
    sortFinalizers(copy);
    return copy;
  }

  private static void sortFinalizers(JsonObject state) {
    state.entrySet().stream()
        .filter(e -> e.getValue().isJsonObject() && !e.getKey().equals("events"))
        .forEach(kind ->
            kind.getValue()
                .getAsJsonObject()
                .entrySet()
                .forEach(o -> {
                  if (o.getValue() instanceof JsonObject object
                      && object.get("meta") instanceof JsonObject meta
                      && meta.get("finalizers") instanceof JsonArray list) {
                    List<JsonElement> sorted = new ArrayList<>(list.asList());
                    sorted.sort(Comparator.comparing(JsonElement::getAsString));
                    JsonArray again = new JsonArray();
                    sorted.forEach(again::add);
                    meta.add("finalizers", again);
                  }
                }));
  }

  private static void drop(JsonElement from, List<String> path) {
    if (!(from instanceof JsonObject object) || path.isEmpty()) {
      return;
    }
    String head = path.getFirst();
    for (String key : head.equals("*") ? List.copyOf(object.keySet()) : List.of(head)) {
      if (path.size() == 1) {
        object.remove(key);
      } else if (object.has(key)) {
        drop(object.get(key), path.subList(1, path.size()));
      }
    }
  }

  private static void compare(JsonElement want, JsonElement got, String at, List<String> found) {
    if (want instanceof JsonObject a && got instanceof JsonObject b) {
      TreeSet<String> keys = new TreeSet<>(a.keySet());
      keys.addAll(b.keySet());
      for (String key : keys) {
        if (!a.has(key) || !b.has(key)) {
          found.add(
              at
                  + "."
                  + key
                  + ": "
                  + (a.has(key) ? a.get(key) : "absent")
                  + " -> "
                  + (b.has(key) ? b.get(key) : "absent"));
        } else {
          compare(a.get(key), b.get(key), at + "." + key, found);
        }
      }
    } else if (!same(want, got)) {
      found.add(at + ": " + want + " -> " + got);
    }
  }

  private static boolean same(JsonElement want, JsonElement got) {
    if (want instanceof JsonPrimitive a
        && got instanceof JsonPrimitive b
        && a.isNumber()
        && b.isNumber()) {
      return a.getAsBigDecimal().compareTo(b.getAsBigDecimal()) == 0;
    }
    return want.equals(got);
  }
}
