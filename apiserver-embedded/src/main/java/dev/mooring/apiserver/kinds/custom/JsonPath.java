package dev.mooring.apiserver.kinds.custom;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

final class JsonPath {
  private static final Pattern STEP =
      Pattern.compile(
          "\\.((?:[A-Za-z0-9_/-]|\\\\\\.)+)|\\[(\\d+|\\*)\\]|\\[['\"]([^'\"]+)['\"]\\]|\\[\\?\\(@\\.([A-Za-z0-9_.-]+)\\s*==\\s*['\"]([^'\"]*)['\"]\\)\\]|\\\\(\\.)");

  private JsonPath() {}

  /** Returns the first value at the path; null if there is none. */
  static @Nullable JsonElement find(JsonElement root, String path) {
    List<JsonElement> here = new ArrayList<>(List.of(root));
    Matcher m = STEP.matcher(path);
    int end = 0;
    while (end < path.length()) {
      if (!m.find(end) || m.start() != end) {
        return null;
      }
      end = m.end();
      List<JsonElement> next = new ArrayList<>();
      for (JsonElement one : here) {
        addMatches(one, m, next);
      }
      here = next;
    }
    return here.isEmpty() || here.getFirst().isJsonNull() ? null : here.getFirst();
  }

  private static void addMatches(JsonElement one, Matcher m, List<JsonElement> next) {
    String name = m.group(1) != null ? m.group(1).replace("\\.", ".") : m.group(3);
    if (name != null) {
      if (one instanceof JsonObject object && object.has(name)) {
        next.add(object.get(name));
      }
    } else if (m.group(2) != null && one instanceof JsonArray list) {
      if (m.group(2).equals("*")) {
        next.addAll(list.asList());
      } else if (Integer.parseInt(m.group(2)) < list.size()) {
        next.add(list.get(Integer.parseInt(m.group(2))));
      }
    } else if (m.group(4) != null && one instanceof JsonArray list) {
      for (JsonElement element : list) {
        JsonElement value = find(element, "." + m.group(4));
        if (value != null && value.getAsString().equals(m.group(5))) {
          next.add(element);
        }
      }
    }
  }
}
