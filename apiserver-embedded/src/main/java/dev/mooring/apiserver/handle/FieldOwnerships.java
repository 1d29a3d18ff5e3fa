package dev.mooring.apiserver.handle;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.apply.FieldOwnership;
import dev.mooring.apiserver.apply.MessageShapes;
import dev.mooring.apiserver.apply.ObjectVersions;
import dev.mooring.apiserver.codec.BadBodyException;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.kinds.model.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Caches the {@link FieldOwnership} of each kind and subresource. Thread-safe. */
public final class FieldOwnerships {
  private record OwnershipKey(ResourceType type, String subresource) {}

  private static final Map<OwnershipKey, FieldOwnership> CACHE = new ConcurrentHashMap<>();

  private FieldOwnerships() {}

  /** Returns the field ownership for writes to that subresource; "" is the main resource. */
  public static FieldOwnership findOwnership(ResourceType type, String subresource) {
    return CACHE.computeIfAbsent(
        new OwnershipKey(type, subresource), FieldOwnerships::makeOwnership);
  }

  private static FieldOwnership makeOwnership(OwnershipKey key) {
    ResourceType type = key.type();
    List<String> ignored =
        switch (key.subresource()) {
          case "" -> type.hasStatus() ? List.of("status") : List.of();
          case "status", "approval" ->
              Stream.concat(
                      Stream.of("spec"),
                      type.strategy().getMetadataKeptOnStatus().stream().map(m -> "metadata." + m))
                  .toList();
          case "finalize", "scale" -> List.of("status");
          default -> List.of();
        };
    if (type.extras().custom().isPresent()) {
      boolean isStatus = key.subresource().equals("status");
      return new FieldOwnership(
          type.extras().custom().get().toShape(),
          makeVersions(type),
          key.subresource(),
          isStatus ? List.of() : ignored,
          isStatus ? "status" : "",
          new JsonObject());
    }
    try {
      JsonObject emptyObject =
          JsonBodies.conform(new JsonObject(), type.schema(), new ArrayList<>()).object();
      return new FieldOwnership(
          MessageShapes.findShape(type.schema()),
          ObjectVersions.ofSingle(type.apiVersion()),
          key.subresource(),
          ignored,
          "",
          emptyObject);
    } catch (BadBodyException e) {
      throw new IllegalStateException("an empty object is not a valid " + type.kind(), e);
    }
  }

  private static ObjectVersions makeVersions(ResourceType custom) {
    List<String> versions =
        custom.extras().custom().get().versionNames().stream()
            .map(v -> custom.group() + "/" + v)
            .toList();
    return new ObjectVersions(custom.apiVersion(), versions, true);
  }

  /**
   * Records a write that is not an apply: sets the object's managedFields in the type's API
   * version.
   *
   * @param old the object before the write; null for a creation
   */
  static void recordUpdate(
      WriteOptions options, ResourceType type, @Nullable JsonObject old, JsonObject object) {
    FieldOwnership ownership = findOwnership(type, old == null ? "" : options.subresource());
    ownership.recordUpdate(
        old == null ? ownership.emptyObject() : type.strategy().toServedForm(old),
        type.strategy().toServedForm(object),
        options.manager());
  }
}
