package dev.mooring.dist;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import java.util.LinkedHashMap;
import java.util.Map;

/** JSON whose members are in the order of the code, unlike those of {@link Map#of}. */
final class ReproducibleJson {
  private static final Gson GSON =
      new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();

  private ReproducibleJson() {}

  /** Returns a mutable object; the members alternate names and values. */
  static Map<String, Object> object(Object... members) {
    Map<String, Object> object = new LinkedHashMap<>();
    for (int i = 0; i < members.length; i += 2) {
      object.put((String) members[i], members[i + 1]);
    }
    return object;
  }

  static JsonElement tree(Object value) {
    return GSON.toJsonTree(value);
  }

  static String text(Object value) {
    return GSON.toJson(value) + "\n";
  }
}
