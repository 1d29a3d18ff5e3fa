package dev.mooring.apiserver.kinds.custom;

import static dev.mooring.apiserver.codec.JsonBodies.stringsAt;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

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
 * @param oldValue the value before the update; null if it is new
 * @param schema the schema of the value
 * @param path the field path; "" for the object itself
 */
record CustomValue(
    JsonElement value, @Nullable JsonElement oldValue, JsonObject schema, String path) {
  /** An unchanged value stays valid (ratcheting). */
  boolean isUnchanged() {
    return oldValue != null && value.equals(oldValue);
  }

  /** Returns the value as a new one, for validation by another schema. */
  CustomValue withSchema(JsonObject otherSchema) {
    return new CustomValue(value, null, otherSchema, path);
  }

  String getPath(String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  String getPath(int index) {
    return path + "[" + index + "]";
  }

  /** Returns the members that the schema describes. */
  List<CustomValue> getMembers() {
    List<CustomValue> members = new ArrayList<>();
    if (value instanceof JsonObject object) {
      for (Map.Entry<String, JsonElement> member : object.entrySet()) {
        String name = member.getKey();
        JsonElement propertySchema = valueAt(schema, "properties", name);
        JsonElement valueSchema = schema.get("additionalProperties");
        JsonObject memberSchema =
            propertySchema instanceof JsonObject p
                ? p
                : valueSchema instanceof JsonObject v ? v : null;
        if (memberSchema != null) {
          JsonElement oldMember = oldValue instanceof JsonObject o ? o.get(name) : null;
          members.add(new CustomValue(member.getValue(), oldMember, memberSchema, getPath(name)));
        }
      }
    }
    return members;
  }

  List<CustomValue> getElements() {
    List<CustomValue> elements = new ArrayList<>();
    if (value instanceof JsonArray list && schema.get("items") instanceof JsonObject items) {
      for (int i = 0; i < list.size(); i++) {
        elements.add(new CustomValue(list.get(i), findOldElement(list.get(i)), items, getPath(i)));
      }
    }
    return elements;
  }

  // Returns the old element with the same keys; null if there is none or the list has no keys.
  private @Nullable JsonElement findOldElement(JsonElement element) {
    List<String> keys = stringsAt(schema, "x-kubernetes-list-map-keys");
    if (!textAt(schema, "x-kubernetes-list-type").equals("map")
        || !(oldValue instanceof JsonArray oldList)
        || !(element instanceof JsonObject object)) {
      return null;
    }
    for (JsonElement candidate : oldList) {
      if (candidate instanceof JsonObject oldElement
          && keys.stream().allMatch(k -> Objects.equals(oldElement.get(k), object.get(k)))) {
        return oldElement;
      }
    }
    return null;
  }
}
