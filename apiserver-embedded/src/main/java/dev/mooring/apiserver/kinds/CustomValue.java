package dev.mooring.apiserver.kinds;

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
 * @param value the value
 * @param old what it was, null if it is new
 * @param schema what it has to be
 * @param path where it stands, "" for the object itself
 */
record CustomValue(JsonElement value, @Nullable JsonElement old, JsonObject schema, String path) {
  /** What was there before and is not changed stays, right or wrong. */
  boolean isUnchanged() {
    return old != null && value.equals(old);
  }

  /** The same as a new value that has to be of another schema. */
  CustomValue as(JsonObject other) {
    return new CustomValue(value, null, other, path);
  }

  /** Where a member of that name stands. */
  String below(String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  /** Where the element of that index stands. */
  String below(int index) {
    return path + "[" + index + "]";
  }

  /** An object's members, as far as the schema says anything of them. */
  List<CustomValue> members() {
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
          all.add(new CustomValue(member.getValue(), was, below, below(name)));
        }
      }
    }
    return all;
  }

  /** A list's elements; none if the schema says nothing of them. */
  List<CustomValue> elements() {
    List<CustomValue> all = new ArrayList<>();
    if (value instanceof JsonArray list && schema.get("items") instanceof JsonObject items) {
      for (int i = 0; i < list.size(); i++) {
        all.add(new CustomValue(list.get(i), correlated(list.get(i)), items, below(i)));
      }
    }
    return all;
  }

  /** The element of the old list with the same keys; null where elements have none. */
  private @Nullable JsonElement correlated(JsonElement one) {
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
