package dev.mooring.apiserver.handle;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.apply.FieldOwnership;
import dev.mooring.apiserver.apply.MessageShapes;
import dev.mooring.apiserver.apply.ObjectVersions;
import dev.mooring.apiserver.codec.BadBodyException;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.kinds.core.EventStrategy;
import dev.mooring.apiserver.kinds.model.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Caches the {@link FieldOwnership} of each kind and subresource. Thread-safe. */
public final class FieldOwnerships {
  private record WrittenPart(ResourceType type, String subresource) {}

  private static final Map<WrittenPart, FieldOwnership> KNOWN = new ConcurrentHashMap<>();

  private FieldOwnerships() {}

  /** Returns the field ownership for writes to that subresource; "" is the main resource. */
  public static FieldOwnership findOwnership(ResourceType type, String subresource) {
    return KNOWN.computeIfAbsent(new WrittenPart(type, subresource), FieldOwnerships::make);
  }

  private static FieldOwnership make(WrittenPart written) {
    ResourceType type = written.type();
    List<String> ignored =
        switch (written.subresource()) {
          case "" -> type.hasStatus() ? List.of("status") : List.of();
          case "status" ->
              Stream.concat(
                      Stream.of("spec"),
                      type.rules().getMetadataKeptOnStatus().stream().map(m -> "metadata." + m))
                  .toList();
          case "finalize", "scale" -> List.of("status");
          default -> List.of();
        };
    if (type.extras().custom().isPresent()) {
      boolean status = written.subresource().equals("status");
      return new FieldOwnership(
          type.extras().custom().get().toShape(),
          makeVersions(type),
          written.subresource(),
          status ? List.of() : ignored,
          status ? "status" : "",
          new JsonObject());
    }
    try {
      JsonObject blank =
          JsonBodies.conform(new JsonObject(), type.schema(), new ArrayList<>()).object();
      return new FieldOwnership(
          MessageShapes.findShape(type.schema()),
          ObjectVersions.only(type.apiVersion()),
          written.subresource(),
          ignored,
          "",
          blank);
    } catch (BadBodyException e) {
      throw new IllegalStateException("an empty object is not a valid " + type.kind(), e);
    }
  }

  private static ObjectVersions makeVersions(ResourceType custom) {
    List<String> all =
        custom.extras().custom().get().versions().stream()
            .map(v -> custom.group() + "/" + v)
            .toList();
    return new ObjectVersions(custom.apiVersion(), all, true);
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
        old == null ? ownership.blank() : EventStrategy.toOwnForm(type, old),
        EventStrategy.toOwnForm(type, object),
        options.manager());
  }
}
