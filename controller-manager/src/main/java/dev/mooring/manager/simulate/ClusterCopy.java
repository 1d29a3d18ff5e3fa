package dev.mooring.manager.simulate;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.cluster.ReadResult;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.ServerDocuments;
import dev.mooring.live.RawObject;
import dev.mooring.model.Kind;
import dev.mooring.model.Resource;
import dev.mooring.time.SystemTime;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Objects of a cluster, read with lists only.
 *
 * @param unread plural names of kinds of snapshots that the user may not list
 */
public record ClusterCopy(List<CopiedObject> objects, List<String> unread) {
  static final String FORMAT = "mooringSnapshot";

  static final int FORMAT_VERSION = 1;

  public ClusterCopy {
    objects = List.copyOf(objects);
    unread = List.copyOf(unread);
  }

  /**
   * Reads all objects of the copied kinds.
   *
   * @throws IOException if a kind cannot be listed, except kinds of snapshots; the message is one
   *     line with the remedy. A kind that the server does not serve has no objects.
   */
  public static ClusterCopy read(KubeConnection connection)
      throws IOException, InterruptedException {
    ServerDocuments documents = new ServerDocuments(connection, new SystemTime());
    List<CopiedObject> objects = new ArrayList<>();
    List<String> unread = new ArrayList<>();
    Gson gson = new Gson();
    for (ResourceType type : CopiedKinds.all()) {
      switch (documents.list(toKind(type))) {
        case ReadResult.Found<List<RawObject>>(List<RawObject> items) ->
            items.forEach(item ->
                objects.add(
                    new CopiedObject(
                        type,
                        toTree(gson.toJsonTree(item.members()).getAsJsonObject()),
                        "the cluster")));
        case ReadResult.Absent<List<RawObject>> _ -> {} // not served
        case ReadResult.Failed<List<RawObject>> _ when CopiedKinds.snapshots().contains(type) ->
            unread.add(type.plural());
        case ReadResult.Failed<List<RawObject>>(String message) ->
            throw new IOException(
                "cannot list %s: %s: grant the ClusterRole view, and list and get on %s"
                    .formatted(type.plural(), message, "nodes, volumes, classes and CSI objects"));
      }
    }
    return new ClusterCopy(objects, unread);
  }

  private static Kind<?> toKind(ResourceType type) {
    return new Kind<>(
        type.group(),
        type.version(),
        type.plural(),
        type.kind(),
        type.namespaced(),
        Resource.class);
  }

  public String unreadText() {
    return String.join(", ", unread) + " cannot be listed, and are not simulated";
  }

  static JsonObject toTree(JsonObject object) {
    object.remove("kind");
    object.remove("apiVersion");
    if (object.get("metadata") instanceof JsonObject metadata) {
      metadata.remove("managedFields");
    }
    return object;
  }

  public JsonObject toJson() {
    JsonObject list = new JsonObject();
    list.addProperty("apiVersion", "v1");
    list.addProperty("kind", "List");
    list.addProperty(FORMAT, FORMAT_VERSION);
    JsonArray items = new JsonArray();
    for (CopiedObject object : objects) {
      JsonObject item = new JsonObject();
      item.addProperty("apiVersion", object.type().apiVersion());
      item.addProperty("kind", object.type().kind());
      for (Map.Entry<String, JsonElement> member : object.tree().entrySet()) {
        item.add(member.getKey(), member.getValue());
      }
      items.add(item);
    }
    list.add("items", items);
    return list;
  }
}
