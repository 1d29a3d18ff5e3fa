package dev.mooring.it.grow;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.it.RestApi;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * Kubernetes' StatefulSet controller and garbage collector, as far as a growth depends on them. The
 * controller creates claims and pods, and adopts pods. The collector orphans the pods of a deleted
 * StatefulSet.
 */
final class StatefulSetActors implements AutoCloseable {
  private static final long PAUSE_MILLIS = 20;

  private final RestApi api;
  private final Thread thread;
  private volatile boolean isRunning = true;

  private StatefulSetActors(RestApi api) {
    this.api = api;
    this.thread = Thread.ofPlatform().daemon().name("statefulset-actors").unstarted(this::run);
  }

  static StatefulSetActors start(RestApi api) {
    StatefulSetActors actors = new StatefulSetActors(api);
    actors.thread.start();
    return actors;
  }

  private void run() {
    while (isRunning) {
      try {
        for (JsonObject set : api.list("StatefulSet")) {
          act(set);
        }
        Thread.sleep(PAUSE_MILLIS);
      } catch (IOException | RestApi.ErrorResponse stopped) {
        return;
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private void act(JsonObject set) throws IOException, InterruptedException {
    try {
      if (metadata(set).has("deletionTimestamp")) {
        orphanPods(set);
      } else {
        createMembers(set);
      }
    } catch (RestApi.ErrorResponse conflict) {
      // the next pass reads again
    }
  }

  static JsonObject metadata(JsonObject object) {
    return object.getAsJsonObject("metadata");
  }

  static String textOf(JsonObject object, String member) {
    return metadata(object).get(member).getAsString();
  }

  static String ownerOf(JsonObject pod) {
    JsonElement owners = metadata(pod).get("ownerReferences");
    return owners == null
        ? ""
        : owners.getAsJsonArray().get(0).getAsJsonObject().get("uid").getAsString();
  }

  private Map<String, JsonObject> read(String kind, String namespace)
      throws RestApi.ErrorResponse, IOException, InterruptedException {
    Map<String, JsonObject> objects = new HashMap<>();
    for (JsonObject object : api.list(kind)) {
      if (textOf(object, "namespace").equals(namespace)) {
        objects.put(textOf(object, "name"), object);
      }
    }
    return objects;
  }

  private void orphanPods(JsonObject set)
      throws RestApi.ErrorResponse, IOException, InterruptedException {
    String namespace = textOf(set, "namespace");
    for (JsonObject pod : read("Pod", namespace).values()) {
      if (ownerOf(pod).equals(textOf(set, "uid"))) {
        patchMetadata("Pod", pod, "\"ownerReferences\": null");
      }
    }
    patchMetadata("StatefulSet", set, "\"finalizers\": null");
  }

  private void patchMetadata(String kind, JsonObject object, String members)
      throws RestApi.ErrorResponse, IOException, InterruptedException {
    String patch =
        "{\"metadata\": {\"uid\": \"%s\", %s}}".formatted(textOf(object, "uid"), members);
    api.patch(
        kind,
        textOf(object, "namespace"),
        textOf(object, "name"),
        "",
        JsonParser.parseString(patch).getAsJsonObject());
  }

  private void createMembers(JsonObject set)
      throws RestApi.ErrorResponse, IOException, InterruptedException {
    String namespace = textOf(set, "namespace");
    JsonObject spec = set.getAsJsonObject("spec");
    Map<String, JsonObject> claims = read("PersistentVolumeClaim", namespace);
    Map<String, JsonObject> pods = read("Pod", namespace);
    String owner =
        "\"ownerReferences\": [{\"apiVersion\": \"apps/v1\", \"kind\": \"StatefulSet\", \"name\": \"%s\", \"uid\": \"%s\", \"controller\": true}]"
            .formatted(textOf(set, "name"), textOf(set, "uid"));
    for (int i = 0; i < spec.get("replicas").getAsInt(); i++) {
      String member = textOf(set, "name") + "-" + i;
      for (JsonElement template : spec.getAsJsonArray("volumeClaimTemplates")) {
        String claim = textOf(template.getAsJsonObject(), "name") + "-" + member;
        if (!claims.containsKey(claim)) {
          createClaim(namespace, claim, template.getAsJsonObject().getAsJsonObject("spec"));
        }
      }
      JsonObject pod = pods.get(member);
      if (pod == null) {
        createPod(namespace, member, owner);
      } else if (ownerOf(pod).isEmpty()) {
        patchMetadata("Pod", pod, owner);
      }
    }
  }

  private void createClaim(String namespace, String name, JsonObject spec)
      throws RestApi.ErrorResponse, IOException, InterruptedException {
    JsonObject claim =
        JsonParser.parseString(
                """
                {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "%s", "namespace": "%s"}}
                """
                    .formatted(name, namespace))
            .getAsJsonObject();
    claim.add("spec", spec);
    api.create(claim);
  }

  private void createPod(String namespace, String name, String owner)
      throws RestApi.ErrorResponse, IOException, InterruptedException {
    api.create(
        JsonParser.parseString(
                """
                {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s", "namespace": "%s", "labels": {"app": "db"}, %s},
                 "spec": {"containers": [{"name": "c", "image": "i"}],
                  "volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": "data-%s"}}]}}
                """
                    .formatted(name, namespace, owner, name))
            .getAsJsonObject());
  }

  @Override
  public void close() {
    isRunning = false;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
