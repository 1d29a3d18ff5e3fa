package dev.mooring.it.contract;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Compares responses with recorded ones. It compares resource versions by equality and order, and
 * ignores human-readable messages.
 */
final class ResponseComparison {
  private static final Pattern VERSION = Pattern.compile("<rv(\\d+)(?: after rv(\\d+)| (first))?>");

  private final List<Integer> versionOrder = new ArrayList<>();
  private final Map<Integer, Long> boundVersions = new HashMap<>();
  private final List<String> differences = new ArrayList<>();

  ResponseComparison(JsonObject testCase) {
    TreeMap<Integer, String> predecessors = new TreeMap<>();
    collectPredecessors(testCase.get("exchanges"), predecessors);
    for (int number = 1;
        number <= (predecessors.isEmpty() ? 0 : predecessors.lastKey());
        number++) {
      String predecessor = predecessors.getOrDefault(number, "");
      versionOrder.add(
          predecessor.isEmpty()
              ? versionOrder.size()
              : predecessor.equals("first")
                  ? 0
                  : versionOrder.indexOf(Integer.parseInt(predecessor)) + 1,
          number);
    }
  }

  private static void collectPredecessors(JsonElement value, Map<Integer, String> predecessors) {
    if (value instanceof JsonArray list) {
      list.forEach(element -> collectPredecessors(element, predecessors));
    } else if (value instanceof JsonObject object) {
      object.entrySet().forEach(member -> collectPredecessors(member.getValue(), predecessors));
    } else if (value.isJsonPrimitive()) {
      Matcher version = VERSION.matcher(value.getAsString());
      if (version.matches()) {
        predecessors.put(
            Integer.parseInt(version.group(1)),
            version.group(2) != null
                ? version.group(2)
                : version.group(3) != null ? version.group(3) : "");
      }
    }
  }

  List<String> differences() {
    return differences;
  }

  void compare(String location, JsonElement expected, JsonElement actual) {
    if (expected instanceof JsonObject expectedObject
        && actual instanceof JsonObject actualObject) {
      TreeSet<String> keys = new TreeSet<>(expectedObject.keySet());
      keys.addAll(actualObject.keySet());
      for (String key : keys) {
        if (isWording(key, expectedObject, location)) {
          continue;
        }
        if (!expectedObject.has(key) || !actualObject.has(key)) {
          differences.add(
              location
                  + "."
                  + key
                  + ": want "
                  + expectedObject.get(key)
                  + ", got "
                  + actualObject.get(key));
        } else {
          compare(location + "." + key, expectedObject.get(key), actualObject.get(key));
        }
      }
    } else if (expected instanceof JsonArray expectedList
        && actual instanceof JsonArray actualList) {
      if (expectedList.size() != actualList.size()) {
        differences.add(location + ": want " + expectedList + ", got " + actualList);
        return;
      }
      if (!location.endsWith(".Warning")) {
        for (int i = 0; i < expectedList.size(); i++) {
          compare(location + "[" + i + "]", expectedList.get(i), actualList.get(i));
        }
      }
    } else if (expected.isJsonPrimitive() && actual.isJsonPrimitive()) {
      comparePrimitives(location, expected.getAsJsonPrimitive(), actual.getAsJsonPrimitive());
    } else if (!expected.equals(actual)) {
      differences.add(location + ": want " + expected + ", got " + actual);
    }
  }

  private static boolean isWording(String key, JsonObject parent, String location) {
    boolean isMessage =
        key.equals("message")
            && ("Status".equals(kindOf(parent))
                || location.endsWith(" body")
                || location.contains(".causes"));
    return isMessage || key.equals("description") && location.contains("columnDefinitions");
  }

  private static String kindOf(JsonObject object) {
    return object.has("kind") && object.get("kind").isJsonPrimitive()
        ? object.get("kind").getAsString()
        : "";
  }

  private void comparePrimitives(String location, JsonPrimitive expected, JsonPrimitive actual) {
    if (expected.isString()
        && actual.isString()
        && actual.getAsString().startsWith("<rv#")
        && VERSION.matcher(expected.getAsString()).matches()) {
      String mismatch =
          findVersionMismatch(
              expected.getAsString(), Long.parseLong(actual.getAsString().replaceAll("\\D", "")));
      if (!mismatch.isEmpty()) {
        differences.add(location + ": want " + expected + ", got " + mismatch);
      }
    } else if (expected.isNumber() && actual.isNumber()
        ? expected.getAsBigDecimal().compareTo(actual.getAsBigDecimal()) != 0
        : !expected.equals(actual)) {
      differences.add(location + ": want " + expected + ", got " + actual);
    }
  }

  private String findVersionMismatch(String expected, long number) {
    Matcher version = VERSION.matcher(expected);
    int expectedNumber = version.matches() ? Integer.parseInt(version.group(1)) : 0;
    Long boundVersion = boundVersions.get(expectedNumber);
    if (boundVersion != null) {
      return boundVersion == number ? "" : number + ", but " + expected + " was " + boundVersion;
    }
    for (Map.Entry<Integer, Long> entry : boundVersions.entrySet()) {
      if (entry.getValue() == number) {
        return number + ", the same as rv" + entry.getKey();
      }
      if ((versionOrder.indexOf(entry.getKey()) < versionOrder.indexOf(expectedNumber))
          != (entry.getValue() < number)) {
        return number + ", out of order with rv" + entry.getKey() + " = " + entry.getValue();
      }
    }
    boundVersions.put(expectedNumber, number);
    return "";
  }
}
