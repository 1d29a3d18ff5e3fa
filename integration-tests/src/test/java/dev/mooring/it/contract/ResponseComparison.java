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
 * Compares responses with recorded ones: resource versions by equality and order, human-readable
 * messages not at all.
 */
final class ResponseComparison {
  private static final Pattern VERSION = Pattern.compile("<rv(\\d+)(?: after rv(\\d+)| (first))?>");

  private final List<Integer> order = new ArrayList<>();
  private final Map<Integer, Long> bound = new HashMap<>();
  private final List<String> differences = new ArrayList<>();

  ResponseComparison(JsonObject testCase) {
    TreeMap<Integer, String> late = new TreeMap<>();
    gather(testCase.get("exchanges"), late);
    for (int k = 1; k <= (late.isEmpty() ? 0 : late.lastKey()); k++) {
      String after = late.getOrDefault(k, "");
      order.add(
          after.isEmpty()
              ? order.size()
              : after.equals("first") ? 0 : order.indexOf(Integer.parseInt(after)) + 1,
          k);
    }
  }

  private static void gather(JsonElement value, Map<Integer, String> late) {
    if (value instanceof JsonArray list) {
      list.forEach(e -> gather(e, late));
    } else if (value instanceof JsonObject object) {
      object.entrySet().forEach(e -> gather(e.getValue(), late));
    } else if (value.isJsonPrimitive()) {
      Matcher m = VERSION.matcher(value.getAsString());
      if (m.matches()) {
        late.put(
            Integer.parseInt(m.group(1)),
            m.group(2) != null ? m.group(2) : m.group(3) != null ? m.group(3) : "");
      }
    }
  }

  List<String> differences() {
    return differences;
  }

  void compare(String at, JsonElement want, JsonElement got) {
    if (want instanceof JsonObject a && got instanceof JsonObject b) {
      TreeSet<String> keys = new TreeSet<>(a.keySet());
      keys.addAll(b.keySet());
      for (String key : keys) {
        if (isWording(key, a, at)) {
          continue;
        }
        if (!a.has(key) || !b.has(key)) {
          differences.add(at + "." + key + ": want " + a.get(key) + ", got " + b.get(key));
        } else {
          compare(at + "." + key, a.get(key), b.get(key));
        }
      }
    } else if (want instanceof JsonArray a && got instanceof JsonArray b) {
      if (a.size() != b.size()) {
        differences.add(at + ": want " + a + ", got " + b);
        return;
      }
      if (!at.endsWith(".Warning")) {
        for (int i = 0; i < a.size(); i++) {
          compare(at + "[" + i + "]", a.get(i), b.get(i));
        }
      }
    } else if (want.isJsonPrimitive() && got.isJsonPrimitive()) {
      scalar(at, want.getAsJsonPrimitive(), got.getAsJsonPrimitive());
    } else if (!want.equals(got)) {
      differences.add(at + ": want " + want + ", got " + got);
    }
  }

  private static boolean isWording(String key, JsonObject parent, String at) {
    boolean message =
        key.equals("message")
            && ("Status".equals(kind(parent)) || at.endsWith(" body") || at.contains(".causes"));
    return message || key.equals("description") && at.contains("columnDefinitions");
  }

  private static String kind(JsonObject object) {
    return object.has("kind") && object.get("kind").isJsonPrimitive()
        ? object.get("kind").getAsString()
        : "";
  }

  private void scalar(String at, JsonPrimitive want, JsonPrimitive got) {
    if (want.isString()
        && got.isString()
        && got.getAsString().startsWith("<rv#")
        && VERSION.matcher(want.getAsString()).matches()) {
      String why =
          version(want.getAsString(), Long.parseLong(got.getAsString().replaceAll("\\D", "")));
      if (!why.isEmpty()) {
        differences.add(at + ": want " + want + ", got " + why);
      }
    } else if (want.isNumber() && got.isNumber()
        ? want.getAsBigDecimal().compareTo(got.getAsBigDecimal()) != 0
        : !want.equals(got)) {
      differences.add(at + ": want " + want + ", got " + got);
    }
  }

  private String version(String want, long number) {
    Matcher m = VERSION.matcher(want);
    int k = m.matches() ? Integer.parseInt(m.group(1)) : 0;
    Long known = bound.get(k);
    if (known != null) {
      return known == number ? "" : number + ", but " + want + " was " + known;
    }
    for (Map.Entry<Integer, Long> other : bound.entrySet()) {
      if (other.getValue() == number) {
        return number + ", the same as rv" + other.getKey();
      }
      if ((order.indexOf(other.getKey()) < order.indexOf(k)) != (other.getValue() < number)) {
        return number + ", out of order with rv" + other.getKey() + " = " + other.getValue();
      }
    }
    bound.put(k, number);
    return "";
  }
}
