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
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Thread thread;
  private volatile JsonObject attacher;
  private volatile boolean kubelet;

  SimulatedActors(RestApi api) {
    this.api = api;
    this.thread = Thread.ofPlatform().daemon().name("actors").start(this::loop);
  }

  void play(String actor, JsonObject how) {
    if (actor.equals("attacher")) {
      attacher = how;
    } else {
      kubelet = true;
    }
  }

  void idle(String actor) {
    if (actor.equals("attacher")) {
      attacher = null;
    } else {
      kubelet = false;
    }
  }

  private void loop() {
    try {
      while (!stop.await(100, TimeUnit.MILLISECONDS)) {
        try {
          JsonObject how = attacher;
          if (how != null) {
            attach(how);
          }
          if (kubelet) {
            mount();
          }
        } catch (RestApi.Refused | IOException e) {
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

  private static boolean names(JsonObject how, String list, String value) {
    return !(how.get(list) instanceof JsonArray all) || all.contains(new JsonPrimitive(value));
  }

  private static JsonObject error(String message) {
    JsonObject error = new JsonObject();
    error.addProperty("message", message);
    error.addProperty("time", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    return error;
  }

  private void attach(JsonObject how) throws RestApi.Refused, IOException, InterruptedException {
    for (JsonObject va : api.list("VolumeAttachment")) {
      String name = text(va, "metadata", "name");
      if (!names(how, "drivers", text(va, "spec", "attacher"))) {
        continue;
      }
      JsonObject status = new JsonObject();
      if (!text(va, "metadata", "deletionTimestamp").isEmpty()) {
        detach(how, va, name);
      } else if (how.has("fail") && names(how, "failNodes", text(va, "spec", "nodeName"))) {
        String message = how.get("fail").getAsString();
        if (!text(va, "status", "attachError", "message").equals(message)) {
          status.addProperty("attached", false);
          status.add("attachError", error(message));
          patchStatus(name, status);
        }
      } else if (!JsonBodies.flagAt(va, "status", "attached")) {
        if (JsonBodies.stringsAt(va, "metadata", "finalizers").isEmpty()) {
          JsonArray finalizers = new JsonArray();
          finalizers.add("external-attacher/" + text(va, "spec", "attacher").replace('.', '-'));
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

  private void detach(JsonObject how, JsonObject va, String name)
      throws RestApi.Refused, IOException, InterruptedException {
    JsonElement bad = how.get("failDetach");
    if (bad != null) {
      if (!text(va, "status", "detachError", "message").equals(bad.getAsString())) {
        JsonObject status = new JsonObject();
        status.add("detachError", error(bad.getAsString()));
        patchStatus(name, status);
      }
    } else if (!JsonBodies.stringsAt(va, "metadata", "finalizers").isEmpty()) {
      JsonObject patch = new JsonObject();
      JsonBodies.getOrAddChild(patch, "metadata").add("finalizers", JsonNull.INSTANCE);
      api.patch("VolumeAttachment", "", name, "", patch);
    }
  }

  private void patchStatus(String name, JsonObject status)
      throws RestApi.Refused, IOException, InterruptedException {
    JsonObject patch = new JsonObject();
    patch.add("status", status);
    api.patch("VolumeAttachment", "", name, "status", patch);
  }

  private void mount() throws RestApi.Refused, IOException, InterruptedException {
    var pods = api.list("Pod");
    for (JsonObject node : api.list("Node")) {
      String nodeName = text(node, "metadata", "name");
      Set<String> attached = new TreeSet<>();
      if (JsonBodies.valueAt(node, "status", "volumesAttached") instanceof JsonArray list) {
        list.forEach(v -> attached.add(text(v.getAsJsonObject(), "name")));
      }
      Set<String> wanted = new HashSet<>();
      for (JsonObject pod : pods) {
        boolean live =
            !Set.of("Succeeded", "Failed").contains(text(pod, "status", "phase"))
                && text(pod, "metadata", "deletionTimestamp").isEmpty();
        if (live && text(pod, "spec", "nodeName").equals(nodeName)) {
          handles(pod, wanted);
        }
      }
      attached.retainAll(wanted);
      if (!attached.equals(new TreeSet<>(JsonBodies.stringsAt(node, "status", "volumesInUse")))) {
        JsonArray inUse = new JsonArray();
        attached.forEach(inUse::add);
        JsonObject patch = new JsonObject();
        JsonBodies.getOrAddChild(patch, "status").add("volumesInUse", inUse);
        api.patch("Node", "", nodeName, "status", patch);
      }
    }
  }

  private void handles(JsonObject pod, Set<String> into)
      throws IOException, InterruptedException, RestApi.Refused {
    String namespace = text(pod, "metadata", "namespace");
    if (!(JsonBodies.valueAt(pod, "spec", "volumes") instanceof JsonArray volumes)) {
      return;
    }
    for (JsonElement one : volumes) {
      JsonObject volume = one.getAsJsonObject();
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
          into.add("kubernetes.io/csi/" + text(csi, "driver") + "^" + text(csi, "volumeHandle"));
        }
      } catch (RestApi.Refused missing) {
        if (missing.code() != 404) {
          throw missing;
        }
      }
    }
  }

  @Override
  public void close() {
    stop.countDown();
    try {
      thread.join(2000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
