package dev.mooring.it.scenario;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.it.RestApi;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Takes the state of a cluster with server-chosen values replaced by names, as in the recorded
 * files.
 */
final class StateSnapshots {
  static final List<String> KINDS =
      List.of("PersistentVolume", "PersistentVolumeClaim", "VolumeAttachment", "Node", "Pod");

  private final RestApi api;
  private final List<String> kinds;
  private final Map<String, String> uids = new LinkedHashMap<>();
  private final Map<String, Integer> nameCounts = new HashMap<>();

  StateSnapshots(RestApi api) {
    this(api, List.of());
  }

  /** Adds the objects of {@code extraKinds} to the snapshots, and their events. */
  StateSnapshots(RestApi api, List<String> extraKinds) {
    this.api = api;
    this.kinds = Stream.concat(KINDS.stream(), extraKinds.stream()).toList();
  }

  /** Records the uids of current objects, which may be deleted before the end. */
  void recordUids() throws RestApi.ErrorResponse, IOException, InterruptedException {
    for (String kind : kinds) {
      for (JsonObject object : api.list(kind)) {
        recordUid(kind, object);
      }
    }
  }

  /** Records the uid of an object. */
  void recordUid(String kind, JsonObject object) {
    String uid = JsonBodies.textAt(object, "metadata", "uid");
    if (!kinds.contains(kind) || uids.containsKey(uid)) {
      return;
    }
    String name = JsonBodies.textAt(object, "metadata", "name");
    int nameCount =
        nameCounts.merge(
            kind + "/" + JsonBodies.textAt(object, "metadata", "namespace") + "/" + name,
            1,
            Integer::sum);
    uids.put(
        uid,
        "<uid " + RestApi.plural(kind) + "/" + name + (nameCount > 1 ? "#" + nameCount : "") + ">");
  }

  JsonObject takeSnapshot() throws RestApi.ErrorResponse, IOException, InterruptedException {
    recordUids();
    JsonObject state = new JsonObject();
    for (String kind : kinds) {
      JsonObject objects = new JsonObject();
      for (JsonObject object : api.list(kind)) {
        String namespace = JsonBodies.textAt(object, "metadata", "namespace");
        objects.add(
            (namespace.isEmpty() ? "" : namespace + "/")
                + JsonBodies.textAt(object, "metadata", "name"),
            comparableFields(kind, object));
      }
      state.add(RestApi.plural(kind), objects);
    }
    state.add("events", readEvents());
    String text = state.toString();
    for (int i = 0; i < 2; i++) {
      for (Map.Entry<String, String> uid : uids.entrySet()) {
        text = text.replace(uid.getKey(), uid.getValue());
      }
    }
    text =
        text.replaceAll("/tmp/hostpath_pv/[0-9a-f]{8}-[0-9a-f-]{27}", "/tmp/hostpath_pv/<random>");
    return JsonParser.parseString(
            text.replaceAll(
                "\\b\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z?\\b", "<time>"))
        .getAsJsonObject();
  }

  private static JsonObject comparableFields(String kind, JsonObject object) {
    JsonObject metadata = object.getAsJsonObject("metadata");
    JsonObject meta = new JsonObject();
    for (String member : List.of("labels", "annotations", "finalizers")) {
      if (metadata.has(member)) {
        meta.add(member, metadata.get(member));
      }
    }
    if (metadata.get("ownerReferences") instanceof JsonArray owners) {
      JsonArray ownerSummaries = new JsonArray();
      owners.forEach(owner ->
          ownerSummaries.add(
              selectMembers(
                  owner.getAsJsonObject(), List.of("kind", "name", "controller"), false)));
      meta.add("ownerReferences", ownerSummaries);
    }
    if (metadata.has("deletionTimestamp")) {
      meta.addProperty("deleting", true);
    }
    JsonObject spec =
        object.get("spec") instanceof JsonObject specObject ? specObject : new JsonObject();
    JsonObject status =
        object.get("status") instanceof JsonObject statusObject ? statusObject : new JsonObject();
    if (kind.equals("Pod")) {
      spec = comparablePod(JsonBodies.textAt(metadata, "name"), spec);
      status = selectMembers(status, List.of("phase"), true);
    } else if (kind.equals("Node")) {
      spec = new JsonObject();
      status = selectMembers(status, List.of("volumesAttached", "volumesInUse"), false);
      sortList(status, "volumesAttached");
      sortList(status, "volumesInUse");
    }
    if (spec.get("claimRef") instanceof JsonObject ref) {
      ref.remove("resourceVersion");
    }
    JsonObject result = new JsonObject();
    result.add("meta", meta);
    result.add("spec", spec);
    result.add("status", status);
    return result;
  }

  private static JsonObject comparablePod(String name, JsonObject spec) {
    JsonObject fields = selectMembers(spec, List.of("nodeName"), true);
    if (name.startsWith("recycler-for-")) {
      selectMembers(spec, List.of("activeDeadlineSeconds", "restartPolicy", "volumes"), true)
          .entrySet()
          .forEach(member -> fields.add(member.getKey(), member.getValue()));
      JsonArray containers = new JsonArray();
      spec.getAsJsonArray("containers")
          .forEach(container ->
              containers.add(
                  selectMembers(
                      container.getAsJsonObject(),
                      List.of("name", "image", "command", "args", "volumeMounts"),
                      true)));
      fields.add("containers", containers);
    }
    return fields;
  }

  private static JsonObject selectMembers(
      JsonObject object, List<String> names, boolean addsNulls) {
    JsonObject result = new JsonObject();
    for (String name : names) {
      if (object.has(name) || addsNulls) {
        result.add(name, object.has(name) ? object.get(name) : JsonNull.INSTANCE);
      }
    }
    return result;
  }

  private static void sortList(JsonObject object, String listName) {
    if (object.get(listName) instanceof JsonArray list) {
      List<JsonElement> elements = new ArrayList<>(list.asList());
      elements.sort(Comparator.comparing(JsonElement::toString));
      JsonArray sorted = new JsonArray();
      elements.forEach(sorted::add);
      object.add(listName, sorted);
    }
  }

  /** Returns the events as object, type and reason. */
  private JsonArray readEvents() throws RestApi.ErrorResponse, IOException, InterruptedException {
    Set<List<String>> distinct = new HashSet<>();
    for (JsonObject event : api.list("Event")) {
      String kind = JsonBodies.textAt(event, "involvedObject", "kind");
      if (kinds.contains(kind)) {
        distinct.add(
            List.of(
                kind + "/" + JsonBodies.textAt(event, "involvedObject", "name"),
                JsonBodies.textAt(event, "type"),
                JsonBodies.textAt(event, "reason")));
      }
    }
    JsonArray list = new JsonArray();
    for (String line :
        new TreeSet<>(distinct.stream().map(fields -> String.join(" ", fields)).toList())) {
      list.add(line);
    }
    return list;
  }
}
