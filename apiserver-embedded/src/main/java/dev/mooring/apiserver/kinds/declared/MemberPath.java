package dev.mooring.apiserver.kinds.declared;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The path of a member, as {@code rules.txt} explains. */
record MemberPath(List<Step> parents, String name) {
  record Step(String name, boolean isList, boolean isOptional) {}

  // the object that has the member or can have it, the member, and its path in messages
  record Place(JsonObject parent, String name, String field) {
    Optional<JsonElement> value() {
      JsonElement value = parent.get(name);
      return value == null || value.isJsonNull() ? Optional.empty() : Optional.of(value);
    }
  }

  static MemberPath parse(String text) {
    String[] names = text.split("\\.");
    List<Step> parents = new ArrayList<>();
    for (int i = 0; i < names.length - 1; i++) {
      boolean isList = names[i].endsWith("[]");
      boolean isOptional = names[i].endsWith("?");
      int suffix = isList ? 2 : isOptional ? 1 : 0;
      String parent = names[i].substring(0, names[i].length() - suffix);
      parents.add(new Step(parent, isList, isOptional));
    }
    return new MemberPath(List.copyOf(parents), names[names.length - 1]);
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
    Step step = parents.get(depth);
    JsonElement value = object.get(step.name);
    if (step.isList) {
      if (value instanceof JsonArray list) {
        for (int i = 0; i < list.size(); i++) {
          if (list.get(i) instanceof JsonObject element) {
            String elementField = prefix + step.name + "[" + i + "]";
            collect(element, elementField, depth + 1, createsParents, places);
          }
        }
      }
      return;
    }
    if (value == null || value.isJsonNull()) {
      if (!createsParents || step.isOptional) {
        return;
      }
      value = new JsonObject();
      object.add(step.name, value);
    }
    if (value instanceof JsonObject child) {
      collect(child, prefix + step.name, depth + 1, createsParents, places);
    }
  }
}
