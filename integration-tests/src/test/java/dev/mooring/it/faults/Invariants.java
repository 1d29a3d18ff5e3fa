package dev.mooring.it.faults;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.it.RestApi;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Checks every write against the server's current state before the server receives it. It records
 * violations that must not occur even with faults. Thread-safe.
 */
public final class Invariants {
  private static final Set<String> EXCLUSIVE = Set.of("ReadWriteOnce", "ReadWriteOncePod");

  private final RestApi api;
  private final List<String> violations = new ArrayList<>();

  /** Reads through {@code api}, bypassing all faults. */
  public Invariants(RestApi api) {
    this.api = api;
  }

  public synchronized List<String> violations() {
    return List.copyOf(violations);
  }

  private synchronized void verify(boolean isSatisfied, String description) {
    if (!isSatisfied) {
      violations.add(description);
    }
  }

  void verifyBefore(ProxiedRequest request) throws IOException, InterruptedException {
    try {
      String name = request.path().substring(request.path().lastIndexOf('/') + 1);
      switch (request.method() + " " + request.resource()) {
        case "DELETE persistentvolumes" -> verifyUnused(name);
        case "DELETE volumeattachments" -> verifyUnwanted(api.get("VolumeAttachment", "", name));
        case "POST volumeattachments" -> verifySingleAttachment(parseBody(request));
        case "PATCH persistentvolumeclaims" -> verifyNotLost(request, parseBody(request));
        case "PATCH persistentvolumes" -> verifyNotTaken(name, parseBody(request));
        default -> {}
      }
    } catch (RestApi.ErrorResponse refusal) {
      if (refusal.code() != 404) {
        throw new IOException(refusal);
      }
    }
  }

  private static JsonObject parseBody(ProxiedRequest request) {
    try {
      return JsonParser.parseString(new String(request.body(), StandardCharsets.UTF_8))
          .getAsJsonObject();
    } catch (JsonParseException | IllegalStateException notJson) {
      return new JsonObject();
    }
  }

  private static String textAt(JsonElement object, String... path) {
    return JsonBodies.textAt(object.getAsJsonObject(), path);
  }

  private List<JsonObject> listObjects(String kind) throws IOException, InterruptedException {
    try {
      return api.list(kind);
    } catch (RestApi.ErrorResponse e) {
      throw new IOException(e);
    }
  }

  /** A volume's data must not be deleted while a claim uses the volume. */
  private void verifyUnused(String volume)
      throws IOException, InterruptedException, RestApi.ErrorResponse {
    JsonObject persistentVolume = api.get("PersistentVolume", "", volume);
    String owner = textAt(persistentVolume, "spec", "claimRef", "uid");
    for (JsonObject claim : listObjects("PersistentVolumeClaim")) {
      verify(
          !textAt(claim, "spec", "volumeName").equals(volume)
              || !textAt(claim, "metadata", "uid").equals(owner),
          "volume "
              + volume
              + " is deleted while used by claim "
              + textAt(claim, "metadata", "name"));
    }
  }

  private static boolean usesClaim(JsonObject pod, JsonObject claim) {
    if (!textAt(pod, "metadata", "namespace").equals(textAt(claim, "metadata", "namespace"))
        || !(JsonBodies.valueAt(pod, "spec", "volumes") instanceof JsonArray volumes)) {
      return false;
    }
    return volumes.asList().stream()
        .anyMatch(volume ->
            textAt(volume, "persistentVolumeClaim", "claimName")
                .equals(textAt(claim, "metadata", "name")));
  }

  /** A volume must not be detached from a node on which a pod uses it. */
  private void verifyUnwanted(JsonObject attachment)
      throws IOException, InterruptedException, RestApi.ErrorResponse {
    String volume = textAt(attachment, "spec", "source", "persistentVolumeName");
    String node = textAt(attachment, "spec", "nodeName");
    if (volume.isEmpty() || isOutOfService(node) || !isInUse(volume, node)) {
      return;
    }
    List<JsonObject> claims =
        listObjects("PersistentVolumeClaim").stream()
            .filter(claim -> textAt(claim, "spec", "volumeName").equals(volume))
            .toList();
    for (JsonObject pod : listObjects("Pod")) {
      boolean isRunning =
          textAt(pod, "spec", "nodeName").equals(node)
              && textAt(pod, "metadata", "deletionTimestamp").isEmpty()
              && textAt(pod, "status", "phase").equals("Running");
      verify(
          !isRunning || claims.stream().noneMatch(claim -> usesClaim(pod, claim)),
          "volume "
              + volume
              + " is detached while in use by pod "
              + textAt(pod, "metadata", "name"));
    }
  }

  private boolean isInUse(String volume, String node)
      throws IOException, InterruptedException, RestApi.ErrorResponse {
    JsonObject persistentVolume = api.get("PersistentVolume", "", volume);
    String attachedName =
        "kubernetes.io/csi/"
            + textAt(persistentVolume, "spec", "csi", "driver")
            + "^"
            + textAt(persistentVolume, "spec", "csi", "volumeHandle");
    return JsonBodies.stringsAt(api.get("Node", "", node), "status", "volumesInUse")
        .contains(attachedName);
  }

  private boolean isOutOfService(String node) throws IOException, InterruptedException {
    return listObjects("Node").stream()
        .filter(candidate -> textAt(candidate, "metadata", "name").equals(node))
        .anyMatch(candidate ->
            String.valueOf(JsonBodies.valueAt(candidate, "spec", "taints"))
                .contains("out-of-service"));
  }

  /** An exclusive volume must not be attached to two nodes. */
  private void verifySingleAttachment(JsonObject newAttachment)
      throws IOException, InterruptedException, RestApi.ErrorResponse {
    String volume = textAt(newAttachment, "spec", "source", "persistentVolumeName");
    String node = textAt(newAttachment, "spec", "nodeName");
    if (volume.isEmpty()
        || !EXCLUSIVE.containsAll(
            JsonBodies.stringsAt(api.get("PersistentVolume", "", volume), "spec", "accessModes"))) {
      return;
    }
    for (JsonObject attachment : listObjects("VolumeAttachment")) {
      String attachedNode = textAt(attachment, "spec", "nodeName");
      boolean isAttached =
          textAt(attachment, "spec", "source", "persistentVolumeName").equals(volume)
              && !attachedNode.equals(node)
              && JsonBodies.flagAt(attachment, "status", "attached");
      verify(
          !isAttached || isOutOfService(attachedNode),
          "exclusive volume " + volume + " goes to " + node + " while it is on " + attachedNode);
    }
  }

  /** A claim must not be marked Lost while its volume exists and belongs to it. */
  private void verifyNotLost(ProxiedRequest request, JsonObject patch)
      throws IOException, InterruptedException, RestApi.ErrorResponse {
    if (!textAt(patch, "status", "phase").equals("Lost")) {
      return;
    }
    String[] segments = request.path().split("/");
    JsonObject claim = api.get("PersistentVolumeClaim", segments[4], segments[6]);
    JsonObject volume = api.get("PersistentVolume", "", textAt(claim, "spec", "volumeName"));
    verify(
        !textAt(volume, "spec", "claimRef", "uid").equals(textAt(claim, "metadata", "uid")),
        "claim " + segments[6] + " is marked Lost although its volume exists");
  }

  /** A volume must not be taken from the claim that owns it. */
  private void verifyNotTaken(String volume, JsonObject patch)
      throws IOException, InterruptedException, RestApi.ErrorResponse {
    String newOwner = textAt(patch, "spec", "claimRef", "uid");
    String owner = textAt(api.get("PersistentVolume", "", volume), "spec", "claimRef", "uid");
    if (newOwner.isEmpty() || owner.isEmpty() || newOwner.equals(owner)) {
      return;
    }
    for (JsonObject claim : listObjects("PersistentVolumeClaim")) {
      verify(
          !textAt(claim, "metadata", "uid").equals(owner)
              || !textAt(claim, "spec", "volumeName").equals(volume),
          "volume " + volume + " is taken from claim " + textAt(claim, "metadata", "name"));
    }
  }
}
