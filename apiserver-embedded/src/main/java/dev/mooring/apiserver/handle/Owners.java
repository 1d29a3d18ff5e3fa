package dev.mooring.apiserver.handle;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.apply.ObjectVersions;
import dev.mooring.apiserver.apply.Ownership;
import dev.mooring.apiserver.apply.Shapes;
import dev.mooring.apiserver.codec.BadBodyException;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.kinds.EventStrategy;
import dev.mooring.apiserver.kinds.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Who keeps the ownership of fields, by kind and subresource. Thread-safe. */
public final class Owners {
  private record Written(ResourceType type, String subresource) {}

  private static final Map<Written, Ownership> KNOWN = new ConcurrentHashMap<>();

  private Owners() {}

  /** The ownership of fields that are written by way of that subresource, "" for the main one. */
  public static Ownership of(ResourceType type, String subresource) {
    return KNOWN.computeIfAbsent(new Written(type, subresource), Owners::make);
  }

  private static Ownership make(Written written) {
    ResourceType type = written.type();
    List<String> ignored =
        switch (written.subresource()) {
          case "" -> type.hasStatus() ? List.of("status") : List.of();
          case "status" ->
              Stream.concat(
                      Stream.of("spec"),
                      type.rules().statusKeeps().stream().map(m -> "metadata." + m))
                  .toList();
          case "finalize", "scale" -> List.of("status");
          default -> List.of();
        };
    if (type.extras().custom().isPresent()) {
      boolean status = written.subresource().equals("status");
      return new Ownership(
          type.extras().custom().get().shape(),
          versions(type),
          written.subresource(),
          status ? List.of() : ignored,
          status ? "status" : "",
          new JsonObject());
    }
    try {
      JsonObject blank =
          JsonBodies.conform(new JsonObject(), type.schema(), new ArrayList<>()).object();
      return new Ownership(
          Shapes.of(type.schema()),
          ObjectVersions.only(type.apiVersion()),
          written.subresource(),
          ignored,
          "",
          blank);
    } catch (BadBodyException e) {
      throw new IllegalStateException("an empty object is no " + type.kind(), e);
    }
  }

  private static ObjectVersions versions(ResourceType custom) {
    List<String> all =
        custom.extras().custom().get().versions().stream()
            .map(v -> custom.group() + "/" + v)
            .toList();
    return new ObjectVersions(custom.apiVersion(), all, true);
  }

  /**
   * Notes a write that was not an apply: the object gets its managedFields, in its type's words.
   *
   * @param old the object before, null for a creation
   */
  static void note(
      WriteOptions options, ResourceType type, @Nullable JsonObject old, JsonObject object) {
    Ownership ownership = of(type, old == null ? "" : options.subresource());
    ownership.update(
        old == null ? ownership.blank() : EventStrategy.ownForm(type, old),
        EventStrategy.ownForm(type, object),
        options.manager());
  }
}
