package dev.mooring.cluster;

import dev.mooring.model.Meta;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Body of a write: nested JSON members. In a merge patch, null removes a member. Mutable; not
 * thread-safe.
 */
public final class Document {
  private final Map<String, @Nullable Object> members = new LinkedHashMap<>();

  private Document() {}

  public static Document empty() {
    return new Document();
  }

  /**
   * Creates a merge patch that the server accepts only if the object still has this uid and
   * version.
   */
  public static Document patchOf(Meta meta) {
    return empty()
        .set(meta.uid().toString(), "metadata", "uid")
        .set(Long.toString(meta.resourceVersion()), "metadata", "resourceVersion");
  }

  /**
   * Sets the member at the path and creates the parent objects.
   *
   * @param value null, a String, Boolean, Integer, Long, or a List or Map of these
   */
  @SuppressWarnings("unchecked") // only this class creates nested maps
  public Document set(@Nullable Object value, String... path) {
    Map<String, @Nullable Object> parent = members;
    for (int i = 0; i < path.length - 1; i++) {
      parent = (Map<String, @Nullable Object>) childOf(parent, path[i]);
    }
    parent.put(path[path.length - 1], value instanceof List<?> l ? List.copyOf(l) : value);
    return this;
  }

  private static Object childOf(Map<String, @Nullable Object> parent, String name) {
    Object child = parent.get(name);
    if (child == null) {
      child = new LinkedHashMap<String, @Nullable Object>();
      parent.put(name, child);
    }
    return child;
  }

  public long version() {
    return members.get("metadata") instanceof Map<?, ?> metadata
            && metadata.get("resourceVersion") instanceof String version
        ? Long.parseLong(version)
        : 0;
  }

  public Map<String, @Nullable Object> members() {
    return Collections.unmodifiableMap(members);
  }

  @Override
  public String toString() {
    return members.toString();
  }
}
