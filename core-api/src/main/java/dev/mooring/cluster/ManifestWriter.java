package dev.mooring.cluster;

import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Creates whole objects, also of kinds that no controller reads. Each call sends one request.
 * Thread-safe; blocks.
 */
public interface ManifestWriter {
  /**
   * Creates an object.
   *
   * @param members all members, with name, kind and apiVersion
   */
  WriteResult<ObjectKey> create(
      Kind<?> kind, ObjectKey key, Map<String, ? extends @Nullable Object> members)
      throws InterruptedException;

  // The server validates the object only.
  WriteResult<ObjectKey> tryCreate(
      Kind<?> kind, ObjectKey key, Map<String, ? extends @Nullable Object> members)
      throws InterruptedException;
}
