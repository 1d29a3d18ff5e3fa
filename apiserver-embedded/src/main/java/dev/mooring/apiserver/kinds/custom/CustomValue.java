package dev.mooring.apiserver.kinds.custom;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.strings;
import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A value within a custom resource.
 *
 * @param old the value before the update; null if it is new
 * @param schema the schema of the value
 * @param path the field path; "" for the object itself
 */
record CustomValue(JsonElement value, @Nullable JsonElement old, JsonObject schema, String path) {
  /** An unchanged value stays valid (ratcheting). */
  boolean isUnchanged() {
    return old != null && value.equals(old);
  }

  /** Returns the value as a new one, for validation by another schema. */
  CustomValue withSchema(JsonObject other) {
    return new CustomValue(value, null, other, path);
  }

  String getPath(String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  String getPath(int index) {
    return path + "[" + index + "]";
  }

  List<CustomValue> getMembers() {
    List<CustomValue> all = new ArrayList<>();
    if (value instanceof JsonObject object) {
      for (Map.Entry<String, JsonElement> member : object.entrySet()) {
        String name = member.getKey();
        JsonElement its = at(schema, "properties", name);
        JsonElement others = schema.get("additionalProperties");
        JsonObject below =
            its instanceof JsonObject p ? p : others instanceof JsonObject v ? v : null;
        if (below != null) {
          JsonElement was = old instanceof JsonObject o ? o.get(name) : null;
          all.add(new CustomValue(member.getValue(), was, below, getPath(name)));
        }
      }
    }
    return all;
  }

  List<CustomValue> getElements() {
    List<CustomValue> all = new ArrayList<>();
    if (value instanceof JsonArray list && schema.get("items") instanceof JsonObject items) {
      for (int i = 0; i < list.size(); i++) {
        all.add(new CustomValue(list.get(i), findCorrelated(list.get(i)), items, getPath(i)));
      }
    }
    return all;
  }

  // Returns the old element with the same keys; null if the list has no keys.
  private @Nullable JsonElement findCorrelated(JsonElement one) {
    List<String> keys = strings(schema, "x-kubernetes-list-map-keys");
    if (!text(schema, "x-kubernetes-list-type").equals("map")
        || !(old instanceof JsonArray before)
        || !(one instanceof JsonObject object)) {
      return null;
    }
    for (JsonElement candidate : before) {
      if (candidate instanceof JsonObject was
          && keys.stream().allMatch(k -> Objects.equals(was.get(k), object.get(k)))) {
        return was;
      }
    }
    return null;
  }
}
