package dev.mooring.manager.undo;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParseException;
import com.google.gson.ToNumberPolicy;
import com.google.gson.reflect.TypeToken;
import dev.mooring.live.RawObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

final class SavedManifest {
  private static final TypeToken<LinkedHashMap<String, Object>> TYPE = new TypeToken<>() {};
  private static final Gson GSON =
      new GsonBuilder().setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE).create();

  private SavedManifest() {}

  static RawObject parse(String manifest) {
    try {
      Map<String, Object> members = GSON.fromJson(manifest, TYPE);
      return new RawObject(members == null ? Map.of() : members);
    } catch (JsonParseException editedByHand) {
      return new RawObject(Map.of());
    }
  }

  static Map<String, Object> copy(RawObject object) {
    Map<String, Object> copy = new LinkedHashMap<>();
    object.members().forEach((name, value) -> copy.put(String.valueOf(name), value));
    return copy;
  }

  static void copy(RawObject from, Map<String, Object> to, List<String> names) {
    for (String name : names) {
      if (from.members().get(name) instanceof Object value) {
        to.put(name, value);
      }
    }
  }
}
