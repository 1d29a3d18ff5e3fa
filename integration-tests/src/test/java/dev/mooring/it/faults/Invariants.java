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
 * Checks every write against the server's current state before the server receives it: violations
 * that no fault excuses. Thread-safe.
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

  private synchronized void verify(boolean holds, String description) {
    if (!holds) {
      violations.add(description);
    }
  }

  void before(ProxiedRequest request) throws IOException, InterruptedException {
    try {
      String name = request.path().substring(request.path().lastIndexOf('/') + 1);
      switch (request.method() + " " + request.resource()) {
        case "DELETE persistentvolumes" -> verifyUnused(name);
        case "DELETE volumeattachments" -> verifyUnwanted(api.get("VolumeAttachment", "", name));
        case "POST volumeattachments" -> verifySingleAttachment(body(request));
        case "PATCH persistentvolumeclaims" -> verifyNotLost(request, body(request));
        case "PATCH persistentvolumes" -> verifyNotTaken(name, body(request));
        default -> {}
      }
    } catch (RestApi.Refused missing) {
      if (missing.code() != 404) {
        throw new IOException(missing);
      }
    }
  }

  private static JsonObject body(ProxiedRequest request) {
    try {
      return JsonParser.parseString(new String(request.body(), StandardCharsets.UTF_8))
          .getAsJsonObject();
    } catch (JsonParseException | IllegalStateException notJson) {
      return new JsonObject();
    }
  }

  private static String text(JsonElement object, String... path) {
    return JsonBodies.textAt(object.getAsJsonObject(), path);
  }

  private List<JsonObject> list(String kind) throws IOException, InterruptedException {
    try {
      return api.list(kind);
    } catch (RestApi.Refused e) {
      throw new IOException(e);
    }
  }

  /** A volume's data must not be deleted while a claim uses the volume. */
  private void verifyUnused(String volume)
      throws IOException, InterruptedException, RestApi.Refused {
    JsonObject found = api.get("PersistentVolume", "", volume);
    String owner = text(found, "spec", "claimRef", "uid");
    for (JsonObject claim : list("PersistentVolumeClaim")) {
      verify(
          !text(claim, "spec", "volumeName").equals(volume)
              || !text(claim, "metadata", "uid").equals(owner),
          "volume "
              + volume
              + " is deleted while used by claim "
              + text(claim, "metadata", "name"));
    }
  }

  private static boolean uses(JsonObject pod, JsonObject claim) {
    if (!text(pod, "metadata", "namespace").equals(text(claim, "metadata", "namespace"))
        || !(JsonBodies.valueAt(pod, "spec", "volumes") instanceof JsonArray volumes)) {
      return false;
    }
    return volumes.asList().stream()
        .anyMatch(v ->
            text(v, "persistentVolumeClaim", "claimName").equals(text(claim, "metadata", "name")));
  }

  /** A volume must not be detached from a node on which a pod uses it. */
  private void verifyUnwanted(JsonObject attachment)
      throws IOException, InterruptedException, RestApi.Refused {
    String volume = text(attachment, "spec", "source", "persistentVolumeName");
    String node = text(attachment, "spec", "nodeName");
    if (volume.isEmpty() || isOutOfService(node) || !isInUse(volume, node)) {
      return;
    }
    List<JsonObject> claims =
        list("PersistentVolumeClaim").stream()
            .filter(claim -> text(claim, "spec", "volumeName").equals(volume))
            .toList();
    for (JsonObject pod : list("Pod")) {
      boolean runs =
          text(pod, "spec", "nodeName").equals(node)
              && text(pod, "metadata", "deletionTimestamp").isEmpty()
              && text(pod, "status", "phase").equals("Running");
      verify(
          !runs || claims.stream().noneMatch(claim -> uses(pod, claim)),
          "volume " + volume + " is detached while in use by pod " + text(pod, "metadata", "name"));
    }
  }

  private boolean isInUse(String volume, String node)
      throws IOException, InterruptedException, RestApi.Refused {
    JsonObject found = api.get("PersistentVolume", "", volume);
    String name =
        "kubernetes.io/csi/"
            + text(found, "spec", "csi", "driver")
            + "^"
            + text(found, "spec", "csi", "volumeHandle");
    return JsonBodies.stringsAt(api.get("Node", "", node), "status", "volumesInUse").contains(name);
  }

  private boolean isOutOfService(String node) throws IOException, InterruptedException {
    return list("Node").stream()
        .filter(n -> text(n, "metadata", "name").equals(node))
        .anyMatch(n ->
            String.valueOf(JsonBodies.valueAt(n, "spec", "taints")).contains("out-of-service"));
  }

  /** An exclusive volume must not be attached to two nodes. */
  private void verifySingleAttachment(JsonObject wanted)
      throws IOException, InterruptedException, RestApi.Refused {
    String volume = text(wanted, "spec", "source", "persistentVolumeName");
    String node = text(wanted, "spec", "nodeName");
    if (volume.isEmpty()
        || !EXCLUSIVE.containsAll(
            JsonBodies.stringsAt(api.get("PersistentVolume", "", volume), "spec", "accessModes"))) {
      return;
    }
    for (JsonObject other : list("VolumeAttachment")) {
      String elsewhere = text(other, "spec", "nodeName");
      boolean attached =
          text(other, "spec", "source", "persistentVolumeName").equals(volume)
              && !elsewhere.equals(node)
              && JsonBodies.flagAt(other, "status", "attached");
      verify(
          !attached || isOutOfService(elsewhere),
          "exclusive volume " + volume + " goes to " + node + " while it is on " + elsewhere);
    }
  }

  /** A claim must not be marked Lost while its volume exists and belongs to it. */
  private void verifyNotLost(ProxiedRequest request, JsonObject patch)
      throws IOException, InterruptedException, RestApi.Refused {
    if (!text(patch, "status", "phase").equals("Lost")) {
      return;
    }
    String[] path = request.path().split("/");
    JsonObject claim = api.get("PersistentVolumeClaim", path[4], path[6]);
    JsonObject volume = api.get("PersistentVolume", "", text(claim, "spec", "volumeName"));
    verify(
        !text(volume, "spec", "claimRef", "uid").equals(text(claim, "metadata", "uid")),
        "claim " + path[6] + " is marked Lost although its volume exists");
  }

  /** A volume must not be taken from the claim that owns it. */
  private void verifyNotTaken(String volume, JsonObject patch)
      throws IOException, InterruptedException, RestApi.Refused {
    String now = text(patch, "spec", "claimRef", "uid");
    String before = text(api.get("PersistentVolume", "", volume), "spec", "claimRef", "uid");
    if (now.isEmpty() || before.isEmpty() || now.equals(before)) {
      return;
    }
    for (JsonObject claim : list("PersistentVolumeClaim")) {
      verify(
          !text(claim, "metadata", "uid").equals(before)
              || !text(claim, "spec", "volumeName").equals(volume),
          "volume " + volume + " is taken from claim " + text(claim, "metadata", "name"));
    }
  }
}
