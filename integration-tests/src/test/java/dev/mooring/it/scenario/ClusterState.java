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
  private final Map<String, Integer> eventCounts = new HashMap<>();

  private ClusterState() {}

  static ClusterState of(RestApi api) throws Exception {
    ClusterState state = new ClusterState();
    for (Kind<?> kind : KINDS) {
      Map<ObjectKey, JsonObject> objectsByKey = new TreeMap<>();
      for (JsonObject object : api.list(kind.kind())) {
        objectsByKey.put(
            new ObjectKey(text(object, "metadata", "namespace"), text(object, "metadata", "name")),
            object);
      }
      state.objects.put(kind, objectsByKey);
    }
    for (JsonObject event : api.list("Event")) {
      String uidAndReason = text(event, "involvedObject", "uid") + " " + text(event, "reason");
      int count = event.has("count") ? event.get("count").getAsInt() : 1;
      state.eventCounts.merge(uidAndReason, count, Integer::sum);
    }
    return state;
  }

  Map<ObjectKey, JsonObject> objectsOf(Kind<?> kind) {
    return objects.get(kind);
  }

  Optional<JsonObject> find(Kind<?> kind, ObjectKey key) {
    return Optional.ofNullable(objectsOf(kind).get(key));
  }

  /** Counts the events with the reason about an object. */
  int eventCount(JsonObject object, String reason) {
    return eventCounts.getOrDefault(uid(object) + " " + reason, 0);
  }

  /** Describes the fields of an object that controllers write, without fields of other clients. */
  static String describe(Kind<?> kind, JsonObject object) {
    String suffix = text(object, "metadata", "deletionTimestamp").isEmpty() ? "" : " leaving";
    if (kind.equals(Kind.CLAIM)) {
      return "%s volume=%s class=%s provisioner=%s node=%s%s"
          .formatted(
              text(object, "status", "phase"),
              text(object, "spec", "volumeName"),
              text(object, "spec", "storageClassName"),
              text(object, "metadata", "annotations", "volume.kubernetes.io/storage-provisioner"),
              text(object, "metadata", "annotations", "volume.kubernetes.io/selected-node"),
              suffix);
    }
    return kind.equals(Kind.VOLUME)
        ? "%s claim=%s %s%s"
            .formatted(
                text(object, "status", "phase"),
                claimKey(object),
                text(object, "spec", "claimRef", "uid"),
                suffix)
        : "there" + suffix;
  }

  static String uid(JsonObject object) {
    return text(object, "metadata", "uid");
  }

  static String finalizersText(JsonObject object) {
    return String.valueOf(object.getAsJsonObject("metadata").get("finalizers"));
  }

  /** Returns the claim to which a volume is or will be bound; "" for none. */
  static String claimKey(JsonObject volume) {
    String name = text(volume, "spec", "claimRef", "name");
    return name.isEmpty() ? "" : text(volume, "spec", "claimRef", "namespace") + "/" + name;
  }

  static String text(JsonObject object, String... path) {
    JsonElement element = object;
    for (String member : path) {
      if (element == null || !element.isJsonObject()) {
        return "";
      }
      element = element.getAsJsonObject().get(member);
    }
    return element == null || element.isJsonNull() || !element.isJsonPrimitive()
        ? ""
        : element.getAsString();
  }
}
