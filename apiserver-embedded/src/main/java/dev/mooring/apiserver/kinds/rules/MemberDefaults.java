package dev.mooring.apiserver.kinds.rules;

import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.function.Consumer;

/** Sets members that an object does not have. */
public final class MemberDefaults {
  private MemberDefaults() {}

  public static void setIfEmpty(JsonObject object, String field, String value) {
    if (textAt(object, field).isEmpty()) {
      object.addProperty(field, value);
    }
  }

  public static void setIfAbsent(JsonObject object, String field, String value) {
    setIfAbsent(object, field, new JsonPrimitive(value));
  }

  public static void setIfAbsent(JsonObject object, String field, boolean value) {
    setIfAbsent(object, field, new JsonPrimitive(value));
  }

  public static void setIfAbsent(JsonObject object, String field, long value) {
    setIfAbsent(object, field, new JsonPrimitive(value));
  }

  /** Sets a value unless the object has one other than null. */
  public static void setIfAbsent(JsonObject object, String field, JsonElement value) {
    JsonElement oldValue = object.get(field);
    if (oldValue == null || oldValue.isJsonNull()) {
      object.add(field, value);
    }
  }

  public static void forEach(JsonObject object, String list, Consumer<JsonObject> action) {
    if (object.get(list) instanceof JsonArray elements) {
      elements.forEach(one -> action.accept(one.getAsJsonObject()));
    }
  }

  public static void incrementGeneration(JsonObject object, JsonObject old) {
    JsonElement oldGeneration = valueAt(old, "metadata", "generation");
    getOrAddChild(object, "metadata")
        .addProperty("generation", oldGeneration == null ? 1 : oldGeneration.getAsLong() + 1);
  }
}
