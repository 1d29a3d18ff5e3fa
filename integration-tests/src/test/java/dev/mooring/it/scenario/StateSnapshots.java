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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Takes the state of a cluster with server-chosen values replaced by names, as in the recorded
 * files.
 */
final class StateSnapshots {
  static final List<String> KINDS =
      List.of("PersistentVolume", "PersistentVolumeClaim", "VolumeAttachment", "Node", "Pod");
  private static final List<String> KINDS_WITH_EVENTS =
      List.of("PersistentVolume", "PersistentVolumeClaim", "Pod", "Node", "VolumeAttachment");

  private final RestApi api;
  private final Map<String, String> uids = new LinkedHashMap<>();
  private final Map<String, Integer> seen = new HashMap<>();

  StateSnapshots(RestApi api) {
    this.api = api;
  }

  /** Records the uids of current objects, which may be deleted before the end. */
  void noteUids() throws RestApi.Refused, IOException, InterruptedException {
    for (String kind : KINDS) {
      for (JsonObject object : api.list(kind)) {
        noteUid(kind, object);
      }
    }
  }

  /** Records the uid of an object. */
  void noteUid(String kind, JsonObject object) {
    String uid = JsonBodies.textAt(object, "metadata", "uid");
    if (!KINDS.contains(kind) || uids.containsKey(uid)) {
      return;
    }
    String name = JsonBodies.textAt(object, "metadata", "name");
    int count =
        seen.merge(
            kind + "/" + JsonBodies.textAt(object, "metadata", "namespace") + "/" + name,
            1,
            Integer::sum);
    uids.put(
        uid, "<uid " + RestApi.plural(kind) + "/" + name + (count > 1 ? "#" + count : "") + ">");
  }

  JsonObject take() throws RestApi.Refused, IOException, InterruptedException {
    noteUids();
    JsonObject all = new JsonObject();
    for (String kind : KINDS) {
      JsonObject objects = new JsonObject();
      for (JsonObject object : api.list(kind)) {
        String namespace = JsonBodies.textAt(object, "metadata", "namespace");
        objects.add(
            (namespace.isEmpty() ? "" : namespace + "/")
                + JsonBodies.textAt(object, "metadata", "name"),
            kept(kind, object));
      }
      all.add(RestApi.plural(kind), objects);
    }
    all.add("events", events());
    String text = all.toString();
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

  private static JsonObject kept(String kind, JsonObject object) {
    JsonObject metadata = object.getAsJsonObject("metadata");
    JsonObject meta = new JsonObject();
    for (String member : List.of("labels", "annotations", "finalizers")) {
      if (metadata.has(member)) {
        meta.add(member, metadata.get(member));
      }
    }
    if (metadata.get("ownerReferences") instanceof JsonArray owners) {
      JsonArray owned = new JsonArray();
      owners.forEach(
          o -> owned.add(only(o.getAsJsonObject(), List.of("kind", "name", "controller"), false)));
      meta.add("ownerReferences", owned);
    }
    if (metadata.has("deletionTimestamp")) {
      meta.addProperty("deleting", true);
    }
    JsonObject spec = object.get("spec") instanceof JsonObject s ? s : new JsonObject();
    JsonObject status = object.get("status") instanceof JsonObject s ? s : new JsonObject();
    if (kind.equals("Pod")) {
      spec = pod(JsonBodies.textAt(metadata, "name"), spec);
      status = only(status, List.of("phase"), true);
    } else if (kind.equals("Node")) {
      spec = new JsonObject();
      status = only(status, List.of("volumesAttached", "volumesInUse"), false);
      sort(status, "volumesAttached");
      sort(status, "volumesInUse");
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

  private static JsonObject pod(String name, JsonObject spec) {
    JsonObject kept = only(spec, List.of("nodeName"), true);
    if (name.startsWith("recycler-for-")) {
      only(spec, List.of("activeDeadlineSeconds", "restartPolicy", "volumes"), true)
          .entrySet()
          .forEach(e -> kept.add(e.getKey(), e.getValue()));
      JsonArray containers = new JsonArray();
      spec.getAsJsonArray("containers")
          .forEach(c ->
              containers.add(
                  only(
                      c.getAsJsonObject(),
                      List.of("name", "image", "command", "args", "volumeMounts"),
                      true)));
      kept.add("containers", containers);
    }
    return kept;
  }

  private static JsonObject only(JsonObject from, List<String> names, boolean nulls) {
    JsonObject result = new JsonObject();
    for (String name : names) {
      if (from.has(name) || nulls) {
        result.add(name, from.has(name) ? from.get(name) : JsonNull.INSTANCE);
      }
    }
    return result;
  }

  private static void sort(JsonObject object, String list) {
    if (object.get(list) instanceof JsonArray present) {
      List<JsonElement> elements = new ArrayList<>(present.asList());
      elements.sort(Comparator.comparing(JsonElement::toString));
      JsonArray sorted = new JsonArray();
      elements.forEach(sorted::add);
      object.add(list, sorted);
    }
  }

  /** Events as object, type and reason. */
  private JsonArray events() throws RestApi.Refused, IOException, InterruptedException {
    Set<List<String>> distinct = new java.util.HashSet<>();
    for (JsonObject event : api.list("Event")) {
      String kind = JsonBodies.textAt(event, "involvedObject", "kind");
      if (KINDS_WITH_EVENTS.contains(kind)) {
        distinct.add(
            List.of(
                kind + "/" + JsonBodies.textAt(event, "involvedObject", "name"),
                JsonBodies.textAt(event, "type"),
                JsonBodies.textAt(event, "reason")));
      }
    }
    JsonArray list = new JsonArray();
    for (String line : new TreeSet<>(distinct.stream().map(e -> String.join(" ", e)).toList())) {
      list.add(line);
    }
    return list;
  }
}
