package dev.mooring.manager.grow;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.ToNumberPolicy;
import com.google.gson.reflect.TypeToken;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JsonMembers of JSON objects that no record describes. */
final class JsonMembers {
  private static final TypeToken<LinkedHashMap<String, Object>> TYPE = new TypeToken<>() {};
  private static final Gson GSON =
      new GsonBuilder()
          .setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE)
          .disableHtmlEscaping()
          .create();

  private JsonMembers() {}

  static @Nullable Object at(@Nullable Object object, String... path) {
    Object value = object;
    for (String name : path) {
      value = value instanceof Map<?, ?> members ? members.get(name) : null;
    }
    return value;
  }

  static String textAt(@Nullable Object object, String... path) {
    Object value = at(object, path);
    return value == null ? "" : value.toString();
  }

  static List<?> listAt(@Nullable Object object, String... path) {
    return at(object, path) instanceof List<?> list ? list : List.of();
  }

  static String toJson(Map<String, Object> members) {
    return GSON.toJson(members);
  }

  static Map<String, Object> parse(String json) {
    Map<String, Object> members = GSON.fromJson(json, TYPE);
    return members == null ? Map.of() : members;
  }

  /** Copies an object without members that are null. */
  static Map<String, Object> copy(Map<String, Object> members) {
    return parse(toJson(members));
  }

  @SuppressWarnings("unchecked") // Gson creates maps with names as keys
  static void replace(Map<String, Object> members, Object value, String... path) {
    Map<String, Object> parent = members;
    for (int i = 0; i < path.length - 1; i++) {
      parent = (Map<String, Object>) parent.computeIfAbsent(path[i], _ -> new LinkedHashMap<>());
    }
    parent.put(path[path.length - 1], value);
  }
}
