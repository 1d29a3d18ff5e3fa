package dev.mooring.it.scenario;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.it.RestApi;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Claims, volumes, attachments and events at one moment. */
final class ClusterState {
  private static final List<Kind<?>> KINDS = List.of(Kind.CLAIM, Kind.VOLUME, Kind.ATTACHMENT);

  private final Map<Kind<?>, Map<ObjectKey, JsonObject>> objects = new HashMap<>();
  private final Map<String, Integer> eventCount = new HashMap<>();

  private ClusterState() {}

  static ClusterState of(RestApi api) throws Exception {
    ClusterState traces = new ClusterState();
    for (Kind<?> kind : KINDS) {
      Map<ObjectKey, JsonObject> all = new TreeMap<>();
      for (JsonObject object : api.list(kind.kind())) {
        all.put(
            new ObjectKey(text(object, "metadata", "namespace"), text(object, "metadata", "name")),
            object);
      }
      traces.objects.put(kind, all);
    }
    for (JsonObject event : api.list("Event")) {
      String about = text(event, "involvedObject", "uid") + " " + text(event, "reason");
      int count = event.has("count") ? event.get("count").getAsInt() : 1;
      traces.eventCount.merge(about, count, Integer::sum);
    }
    return traces;
  }

  Map<ObjectKey, JsonObject> all(Kind<?> kind) {
    return objects.get(kind);
  }

  Optional<JsonObject> find(Kind<?> kind, ObjectKey key) {
    return Optional.ofNullable(all(kind).get(key));
  }

  /** Counts the events with the reason about an object. */
  int eventCount(JsonObject object, String reason) {
    return eventCount.getOrDefault(uid(object) + " " + reason, 0);
  }

  /**
   * Returns the part of an object that controllers decide, without fields that other clients write.
   */
  static String essence(Kind<?> kind, JsonObject object) {
    String leaving = text(object, "metadata", "deletionTimestamp").isEmpty() ? "" : " leaving";
    if (kind.equals(Kind.CLAIM)) {
      return "%s volume=%s class=%s provisioner=%s node=%s%s"
          .formatted(
              text(object, "status", "phase"),
              text(object, "spec", "volumeName"),
              text(object, "spec", "storageClassName"),
              text(object, "metadata", "annotations", "volume.kubernetes.io/storage-provisioner"),
              text(object, "metadata", "annotations", "volume.kubernetes.io/selected-node"),
              leaving);
    }
    return kind.equals(Kind.VOLUME)
        ? "%s claim=%s %s%s"
            .formatted(
                text(object, "status", "phase"),
                claimOf(object),
                text(object, "spec", "claimRef", "uid"),
                leaving)
        : "there" + leaving;
  }

  static String uid(JsonObject object) {
    return text(object, "metadata", "uid");
  }

  static String finalizers(JsonObject object) {
    return String.valueOf(object.getAsJsonObject("metadata").get("finalizers"));
  }

  /** Returns the claim to which a volume is or will be bound; "" for none. */
  static String claimOf(JsonObject volume) {
    String name = text(volume, "spec", "claimRef", "name");
    return name.isEmpty() ? "" : text(volume, "spec", "claimRef", "namespace") + "/" + name;
  }

  static String text(JsonObject object, String... path) {
    JsonElement at = object;
    for (String member : path) {
      if (at == null || !at.isJsonObject()) {
        return "";
      }
      at = at.getAsJsonObject().get(member);
    }
    return at == null || at.isJsonNull() || !at.isJsonPrimitive() ? "" : at.getAsString();
  }
}
