package dev.mooring.it.scenario;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.it.RestApi;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Simulates the CSI attacher and the kubelets of a scenario on a thread of its own. */
final class SimulatedActors implements AutoCloseable {
  private final RestApi api;
  private final CountDownLatch stopSignal = new CountDownLatch(1);
  private final Thread thread;
  private volatile JsonObject attacher;
  private volatile boolean kubelet;

  SimulatedActors(RestApi api) {
    this.api = api;
    this.thread = Thread.ofPlatform().daemon().name("actors").start(this::runRounds);
  }

  void activate(String actor, JsonObject behavior) {
    if (actor.equals("attacher")) {
      attacher = behavior;
    } else {
      kubelet = true;
    }
  }

  void deactivate(String actor) {
    if (actor.equals("attacher")) {
      attacher = null;
    } else {
      kubelet = false;
    }
  }

  private void runRounds() {
    try {
      while (!stopSignal.await(100, TimeUnit.MILLISECONDS)) {
        try {
          JsonObject behavior = attacher;
          if (behavior != null) {
            attachVolumes(behavior);
          }
          if (kubelet) {
            updateVolumesInUse();
          }
        } catch (RestApi.ErrorResponse | IOException e) {
          continue; // after a conflict or a deletion the next round retries
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String text(JsonObject object, String... path) {
    return JsonBodies.textAt(object, path);
  }

  private static boolean isSelected(JsonObject behavior, String listName, String value) {
    return !(behavior.get(listName) instanceof JsonArray names)
        || names.contains(new JsonPrimitive(value));
  }

  private static JsonObject errorOf(String message) {
    JsonObject error = new JsonObject();
    error.addProperty("message", message);
    error.addProperty("time", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    return error;
  }

  private void attachVolumes(JsonObject behavior)
      throws RestApi.ErrorResponse, IOException, InterruptedException {
    for (JsonObject attachment : api.list("VolumeAttachment")) {
      String name = text(attachment, "metadata", "name");
      if (!isSelected(behavior, "drivers", text(attachment, "spec", "attacher"))) {
        continue;
      }
      JsonObject status = new JsonObject();
      if (!text(attachment, "metadata", "deletionTimestamp").isEmpty()) {
        detachVolume(behavior, attachment, name);
      } else if (behavior.has("fail")
          && isSelected(behavior, "failNodes", text(attachment, "spec", "nodeName"))) {
        String message = behavior.get("fail").getAsString();
        if (!text(attachment, "status", "attachError", "message").equals(message)) {
          status.addProperty("attached", false);
          status.add("attachError", errorOf(message));
          patchStatus(name, status);
        }
      } else if (!JsonBodies.flagAt(attachment, "status", "attached")) {
        if (JsonBodies.stringsAt(attachment, "metadata", "finalizers").isEmpty()) {
          JsonArray finalizers = new JsonArray();
          finalizers.add(
              "external-attacher/" + text(attachment, "spec", "attacher").replace('.', '-'));
          JsonObject patch = new JsonObject();
          JsonBodies.getOrAddChild(patch, "metadata").add("finalizers", finalizers);
          api.patch("VolumeAttachment", "", name, "", patch);
        }
        status.addProperty("attached", true);
        status.add("attachError", JsonNull.INSTANCE);
        patchStatus(name, status);
      }
    }
  }

  private void detachVolume(JsonObject behavior, JsonObject attachment, String name)
      throws RestApi.ErrorResponse, IOException, InterruptedException {
    JsonElement failure = behavior.get("failDetach");
    if (failure != null) {
      if (!text(attachment, "status", "detachError", "message").equals(failure.getAsString())) {
        JsonObject status = new JsonObject();
        status.add("detachError", errorOf(failure.getAsString()));
        patchStatus(name, status);
      }
    } else if (!JsonBodies.stringsAt(attachment, "metadata", "finalizers").isEmpty()) {
      JsonObject patch = new JsonObject();
      JsonBodies.getOrAddChild(patch, "metadata").add("finalizers", JsonNull.INSTANCE);
      api.patch("VolumeAttachment", "", name, "", patch);
    }
  }

  private void patchStatus(String name, JsonObject status)
      throws RestApi.ErrorResponse, IOException, InterruptedException {
    JsonObject patch = new JsonObject();
    patch.add("status", status);
    api.patch("VolumeAttachment", "", name, "status", patch);
  }

  private void updateVolumesInUse()
      throws RestApi.ErrorResponse, IOException, InterruptedException {
    var pods = api.list("Pod");
    for (JsonObject node : api.list("Node")) {
      String nodeName = text(node, "metadata", "name");
      Set<String> volumesInUse = new TreeSet<>();
      if (JsonBodies.valueAt(node, "status", "volumesAttached") instanceof JsonArray attachedList) {
        attachedList.forEach(entry -> volumesInUse.add(text(entry.getAsJsonObject(), "name")));
      }
      Set<String> neededVolumes = new HashSet<>();
      for (JsonObject pod : pods) {
        boolean isLive =
            !Set.of("Succeeded", "Failed").contains(text(pod, "status", "phase"))
                && text(pod, "metadata", "deletionTimestamp").isEmpty();
        if (isLive && text(pod, "spec", "nodeName").equals(nodeName)) {
          addAttachedNames(pod, neededVolumes);
        }
      }
      volumesInUse.retainAll(neededVolumes);
      if (!volumesInUse.equals(
          new TreeSet<>(JsonBodies.stringsAt(node, "status", "volumesInUse")))) {
        JsonArray inUse = new JsonArray();
        volumesInUse.forEach(inUse::add);
        JsonObject patch = new JsonObject();
        JsonBodies.getOrAddChild(patch, "status").add("volumesInUse", inUse);
        api.patch("Node", "", nodeName, "status", patch);
      }
    }
  }

  private void addAttachedNames(JsonObject pod, Set<String> neededVolumes)
      throws IOException, InterruptedException, RestApi.ErrorResponse {
    String namespace = text(pod, "metadata", "namespace");
    if (!(JsonBodies.valueAt(pod, "spec", "volumes") instanceof JsonArray volumes)) {
      return;
    }
    for (JsonElement element : volumes) {
      JsonObject volume = element.getAsJsonObject();
      String claim =
          volume.has("ephemeral")
              ? text(pod, "metadata", "name") + "-" + text(volume, "name")
              : text(volume, "persistentVolumeClaim", "claimName");
      if (claim.isEmpty()) {
        continue;
      }
      try {
        String name =
            text(api.get("PersistentVolumeClaim", namespace, claim), "spec", "volumeName");
        if (!name.isEmpty()
            && JsonBodies.valueAt(api.get("PersistentVolume", "", name), "spec", "csi")
                instanceof JsonObject csi) {
          neededVolumes.add(
              "kubernetes.io/csi/" + text(csi, "driver") + "^" + text(csi, "volumeHandle"));
        }
      } catch (RestApi.ErrorResponse refusal) {
        if (refusal.code() != 404) {
          throw refusal;
        }
      }
    }
  }

  @Override
  public void close() {
    stopSignal.countDown();
    try {
      thread.join(2000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
