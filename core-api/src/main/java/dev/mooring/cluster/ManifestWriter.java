package dev.mooring.cluster;

import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Creates whole objects, also of kinds that no controller reads, and deletes objects without their
 * dependents. Each call sends one request. Thread-safe; blocks.
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

  /**
   * Deletes one version of an object; its dependents stay. The object exists until the garbage
   * collector has removed it from their owner references.
   */
  WriteResult<ObjectKey> deleteAndOrphan(Kind<?> kind, ObjectKey key, Uid uid, long version)
      throws InterruptedException;
}
