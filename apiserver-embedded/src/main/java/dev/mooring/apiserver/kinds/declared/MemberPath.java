package dev.mooring.apiserver.kinds.declared;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The path of a member, as {@code rules.txt} explains. */
record MemberPath(List<String> parents, String name) {
  // the object that has the member or can have it, the member, and its path in messages
  record Place(JsonObject parent, String name, String field) {
    Optional<JsonElement> value() {
      JsonElement value = parent.get(name);
      return value == null || value.isJsonNull() ? Optional.empty() : Optional.of(value);
    }
  }

  static MemberPath parse(String text) {
    List<String> names = List.of(text.split("\\."));
    return new MemberPath(names.subList(0, names.size() - 1), names.getLast());
  }

  // adds objects that the path needs, or skips the member
  List<Place> find(JsonObject root, boolean createsParents) {
    List<Place> places = new ArrayList<>();
    collect(root, "", 0, createsParents, places);
    return places;
  }

  private void collect(
      JsonObject object, String field, int depth, boolean createsParents, List<Place> places) {
    String prefix = field.isEmpty() ? "" : field + ".";
    if (depth == parents.size()) {
      places.add(new Place(object, name, prefix + name));
      return;
    }
    String step = parents.get(depth);
    String stepName = step.replaceAll("\\[\\]|\\?", "");
    JsonElement value = object.get(stepName);
    if (step.endsWith("[]")) {
      if (value instanceof JsonArray list) {
        for (int i = 0; i < list.size(); i++) {
          if (list.get(i) instanceof JsonObject element) {
            String elementField = prefix + stepName + "[" + i + "]";
            collect(element, elementField, depth + 1, createsParents, places);
          }
        }
      }
      return;
    }
    if (value == null || value.isJsonNull()) {
      if (!createsParents || step.endsWith("?")) {
        return;
      }
      value = new JsonObject();
      object.add(stepName, value);
    }
    if (value instanceof JsonObject child) {
      collect(child, prefix + stepName, depth + 1, createsParents, places);
    }
  }
}
