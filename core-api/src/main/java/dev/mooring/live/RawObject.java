package dev.mooring.live;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An object with all fields, as the API server returned it. Members that are missing or have
 * another type count as empty.
 */
public record RawObject(Map<?, ?> members) {
  private @Nullable Object find(String... path) {
    Object value = members;
    for (String name : path) {
      value = value instanceof Map<?, ?> parent ? parent.get(name) : null;
    }
    return value;
  }

  public RawObject at(String... path) {
    return new RawObject(find(path) instanceof Map<?, ?> inner ? inner : Map.of());
  }

  public boolean isEmpty() {
    return members.isEmpty();
  }

  public boolean contains(String name) {
    return members.get(name) != null;
  }

  public String text(String... path) {
    return find(path) instanceof String text ? text : "";
  }

  // seconds since the epoch; 0 if it is no time
  public long seconds(String... path) {
    try {
      return Instant.parse(text(path)).getEpochSecond();
    } catch (DateTimeException noTime) {
      return 0;
    }
  }

  public boolean flag(String name) {
    return Boolean.TRUE.equals(members.get(name));
  }

  public List<String> list(String name) {
    return members.get(name) instanceof List<?> list
        ? list.stream().map(String::valueOf).toList()
        : List.of();
  }

  public List<RawObject> objects(String name) {
    return members.get(name) instanceof List<?> list
        ? list.stream()
            .filter(Map.class::isInstance)
            .map(element -> new RawObject((Map<?, ?>) element))
            .toList()
        : List.of();
  }

  public Map<String, String> texts() {
    Map<String, String> texts = new HashMap<>();
    members.forEach((key, value) -> {
      if (value instanceof String text) {
        texts.put(String.valueOf(key), text);
      }
    });
    return Map.copyOf(texts);
  }
}
