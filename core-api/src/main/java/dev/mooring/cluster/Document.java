package dev.mooring.cluster;

import dev.mooring.model.Meta;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The body of a write: nested members as they will stand in the JSON. In a merge patch a member set
 * to null is removed. Mutable while it is built, by one thread.
 */
public final class Document {
  private final Map<String, @Nullable Object> members = new LinkedHashMap<>();

  private Document() {}

  /** An empty body. */
  public static Document empty() {
    return new Document();
  }

  /** A merge patch that the server takes only if the object is still that one, in that version. */
  public static Document patchOf(Meta meta) {
    return empty()
        .set(meta.uid().toString(), "metadata", "uid")
        .set(Long.toString(meta.resourceVersion()), "metadata", "resourceVersion");
  }

  /**
   * Sets the member at the path, making the objects on the way.
   *
   * @param value null, a String, Boolean, Integer, Long, a List or Map of these
   */
  @SuppressWarnings("unchecked") // nested maps are only ever made here
  public Document set(@Nullable Object value, String... path) {
    Map<String, @Nullable Object> at = members;
    for (int i = 0; i < path.length - 1; i++) {
      at = (Map<String, @Nullable Object>) childOf(at, path[i]);
    }
    at.put(path[path.length - 1], value instanceof List<?> l ? List.copyOf(l) : value);
    return this;
  }

  private static Object childOf(Map<String, @Nullable Object> at, String name) {
    Object present = at.get(name);
    if (present == null) {
      present = new LinkedHashMap<String, @Nullable Object>();
      at.put(name, present);
    }
    return present;
  }

  /** The resourceVersion that the object has to be in for the write to be taken; 0 for any. */
  public long version() {
    return members.get("metadata") instanceof Map<?, ?> metadata
            && metadata.get("resourceVersion") instanceof String version
        ? Long.parseLong(version)
        : 0;
  }

  /** The members. */
  public Map<String, @Nullable Object> members() {
    return Collections.unmodifiableMap(members);
  }

  @Override
  public String toString() {
    return members.toString();
  }
}
