package dev.mooring.testkit;

import dev.mooring.model.Meta;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

record JsonTree(Map<String, @Nullable Object> members) {
  static final JsonTree EMPTY = new JsonTree(Map.of());

  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  JsonTree merged(Map<String, @Nullable Object> patch) {
    Map<String, @Nullable Object> merged = new LinkedHashMap<>(members);
    patch.forEach((name, value) -> {
      if (value == null) {
        merged.remove(name);
      } else if (value instanceof Map<?, ?>) {
        merged.put(name, child(name).merged(new JsonTree(object(value)).members()).members());
      } else {
        merged.put(name, value);
      }
    });
    return new JsonTree(merged);
  }

  /**
   * Returns a tree with the member.
   *
   * @param value a tree or another JSON value; null to remove the member
   */
  JsonTree with(String name, @Nullable Object value) {
    Map<String, @Nullable Object> changed = new LinkedHashMap<>(members);
    if (value == null) {
      changed.remove(name);
    } else {
      changed.put(name, value instanceof JsonTree child ? child.members : value);
    }
    return new JsonTree(changed);
  }

  JsonTree withText(String name, String text) {
    return with(name, text.isEmpty() ? null : text);
  }

  @SuppressWarnings("unchecked") // JSON objects have string keys
  private static Map<String, @Nullable Object> object(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? (Map<String, @Nullable Object>) map : Map.of();
  }

  @Nullable Object get(String name) {
    return members.get(name);
  }

  boolean contains(String name) {
    return members.get(name) != null;
  }

  JsonTree child(String name) {
    return new JsonTree(object(members.get(name)));
  }

  String text(String name) {
    Object value = members.get(name);
    return value == null ? "" : value.toString();
  }

  static JsonTree of(Meta meta) {
    JsonTree owners =
        meta.controller().isNone()
            ? EMPTY
            : EMPTY.with("uid", meta.controller().toString()).with("controller", true);
    return EMPTY
        .withText("namespace", meta.key().namespace())
        .with("name", meta.name())
        .with("uid", meta.uid().toString())
        .with("resourceVersion", Long.toString(meta.resourceVersion()))
        .with("creationTimestamp", time(meta.created()))
        .with("deletionTimestamp", time(meta.deleted()))
        .with("labels", meta.labels().isEmpty() ? null : meta.labels())
        .with("annotations", meta.annotations().isEmpty() ? null : meta.annotations())
        .with("finalizers", meta.finalizers().isEmpty() ? null : meta.finalizers())
        .with("ownerReferences", owners.members.isEmpty() ? null : List.of(owners.members));
  }

  static @Nullable String time(long seconds) {
    return seconds == 0 ? null : Instant.ofEpochSecond(seconds).toString();
  }

  static @Nullable String microTime(long micros) {
    return micros == 0 ? null : MICROS.format(Instant.EPOCH.plus(micros, ChronoUnit.MICROS));
  }
}
