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
    List<JsonElement> matches = new ArrayList<>(List.of(root));
    Matcher step = STEP.matcher(path);
    int position = 0;
    while (position < path.length()) {
      if (!step.find(position) || step.start() != position) {
        return null;
      }
      position = step.end();
      List<JsonElement> nextMatches = new ArrayList<>();
      for (JsonElement element : matches) {
        addMatches(element, step, nextMatches);
      }
      matches = nextMatches;
    }
    return matches.isEmpty() || matches.getFirst().isJsonNull() ? null : matches.getFirst();
  }

  private static void addMatches(JsonElement parent, Matcher step, List<JsonElement> matches) {
    String name = step.group(1) != null ? step.group(1).replace("\\.", ".") : step.group(3);
    if (name != null) {
      if (parent instanceof JsonObject object && object.has(name)) {
        matches.add(object.get(name));
      }
    } else if (step.group(2) != null && parent instanceof JsonArray list) {
      if (step.group(2).equals("*")) {
        matches.addAll(list.asList());
      } else if (Integer.parseInt(step.group(2)) < list.size()) {
        matches.add(list.get(Integer.parseInt(step.group(2))));
      }
    } else if (step.group(4) != null && parent instanceof JsonArray list) {
      for (JsonElement element : list) {
        JsonElement value = find(element, "." + step.group(4));
        if (value != null && value.getAsString().equals(step.group(5))) {
          matches.add(element);
        }
      }
    }
  }
}
